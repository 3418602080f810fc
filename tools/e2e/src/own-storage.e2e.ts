import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRadosgw } from '@rapporteur/object-store/testing';
import type { S3Server, S3User } from '@rapporteur/object-store/testing';
import { checkRecording } from '@rapporteur/recording-check';
import { waitFor } from '@rapporteur/testbed';
import { CurlS3 } from './curl-s3.ts';
import { playInBrowser } from './playback.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

const recordedMs = 10_000;
const shortestMs = 8_000;
const buckets = { artifacts_bucket: 'recordings', audio_chunks_bucket: 'chunks', logs_bucket: 'evidence' };
let folder = '';
let server: S3Server;
let users: { readonly ingest: S3User; readonly service: S3User };
let api: OwnTeam['api'];
let simulator: OwnTeam['simulator'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapporteur-own-storage-'));
  server = await startRadosgw();
  users = { ingest: await server.createUser('ingest'), service: await server.createUser('service') };
  for (const bucket of Object.values(buckets)) {
    await server.createBucket(bucket);
    await server.setPolicy(bucket, { full: ['service'], write: ['ingest'] });
  }
  ({ api, simulator } = await createOwnTeam());
}, 240_000);

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

describe('a team with buckets of its own', () => {
  test('finds the recording of its bot there with its own S3 client, plays it, and deletes it through the API', async () => {
    const stored = await api.sdk.putStorageConfig({
      body: {
        endpoint: server.endpoint,
        region: server.region,
        force_path_style: true,
        ...buckets,
        ingest_access_key_id: users.ingest.accessKeyId,
        ingest_secret_access_key: users.ingest.secretAccessKey,
        service_access_key_id: users.service.accessKeyId,
        service_secret_access_key: users.service.secretAccessKey,
      },
    });
    expect(stored).toMatchObject({ enabled: true, ...buckets });
    const room = await simulator.startRoom({ speakers: 2 });
    const botId = await api.createBot({ bot_name: 'Rapporteur', meeting_url: room.url });
    await api.waitForStatus(botId, ['in_call_recording'], 120_000);
    await sleep(recordedMs);
    await api.sdk.leaveBot({ bot_id: botId });
    const bot = await api.waitForStatus(botId, ['completed'], 120_000);

    const s3 = new CurlS3(server);
    const keys = await s3.keysOf(buckets.artifacts_bucket);
    const video = keys.find((key) => key.startsWith(`${botId}/`) && key.endsWith('.mp4')) ?? '';
    expect(keys.every((key) => key.startsWith(`${botId}/`))).toBe(true);
    expect((await s3.keysOf(buckets.audio_chunks_bucket)).length).toBeGreaterThan(2);
    const file = join(folder, 'video.mp4');
    await s3.download(buckets.artifacts_bucket, video, file);
    // The quality of the capture beside other bots is not checked here: the recording is complete, and the link leads
    // to it.
    const { report } = await checkRecording(file, { width: 1280, height: 720 });
    expect(report).toMatchObject({ decodeErrors: [], file: { video: { width: 1280, height: 720 } } });
    expect(report.file.durationMs).toBeGreaterThan(shortestMs);
    const linked = Buffer.from(await (await fetch(bot.video ?? '')).arrayBuffer());
    expect(linked.equals(await readFile(file))).toBe(true);

    expect(bot.video).toContain(server.endpoint);
    const [playback] = await playInBrowser([bot.video ?? '']);
    expect(playback).toMatchObject({ videoWidth: 1280, videoHeight: 720 });
    expect(playback.playedSeconds).toBeGreaterThanOrEqual(2);

    await api.sdk.deleteBotData({ bot_id: botId });
    for (const bucket of Object.values(buckets))
      await waitFor(async () => (await s3.keysOf(bucket)).length === 0, {
        what: `${bucket} to be empty`,
      });
    expect(await api.bot(botId)).toMatchObject({ artifacts_deleted: true, video: null });
  }, 240_000);
});
