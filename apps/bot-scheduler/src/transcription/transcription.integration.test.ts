import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { internalCalls, transcriptionEnded, transcriptionStarted } from '@rapporteur/contracts';
import type { Artifact } from '@rapporteur/contracts';
import { connectBus } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { createInternalAuth, createLogger, Secret } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { addTeam, internalSecret, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let bus: Bus;
let teamId: string;

beforeAll(async () => {
  scheduler = await startTestScheduler({ settings: { TRANSCRIPTION_ENGINES: 'local,deepgram' } });
  bus = await connectBus({ url: scheduler.busUrl, name: 'transcriber', logger: createLogger('test', 'silent') });
  teamId = await addTeam(scheduler.database);
});
afterAll(async () => {
  await bus.close();
  await scheduler.stop();
});

interface Requested {
  readonly requestId: string;
  readonly botId: string;
  readonly teamId: string;
  readonly fencing: number;
  readonly choice: { readonly provider: string; readonly keyField: string | null };
  readonly artifacts: readonly Artifact[];
}

const requests = async (botId: string): Promise<Requested[]> =>
  (await scheduler.events(botId, 'bots.v1.transcription-requested')) as unknown as Requested[];
const redeliveries = (botId: string): Promise<unknown[]> =>
  scheduler.database
    .query<{ data: unknown }>(
      `select data from outbox where type = 'bots.v1.redelivery-requested' and data->'ended'->>'botId' = $1`,
      [botId],
    )
    .then((rows) => rows.map(({ data }) => data));
const notify = (type: string, data: unknown): Promise<void> =>
  bus.publish(type, { id: randomUUID(), type, occurredAt: new Date().toISOString(), data });
const transcript: Artifact = {
  kind: 'transcription',
  key: 'artifacts/transcripts/1/transcription.json',
  bytes: 10,
  sha256: '0'.repeat(64),
  contentType: 'application/json',
};
const end = ({ requestId, botId, choice }: Requested, message: string | null = null): Promise<void> =>
  notify(transcriptionEnded.type, {
    requestId,
    botId,
    teamId,
    outcome: message === null ? 'completed' : 'failed',
    message,
    providerIds: choice.provider === 'gladia' ? ['job-1'] : [],
    artifacts: message === null ? [transcript] : [],
  });
const details = async (botId: string): Promise<Record<string, unknown>> =>
  (await scheduler.sendRequest('GET', `/internal/v2/bots/${botId}`, teamId)).body.data;
const statusOf = async (botId: string): Promise<unknown> =>
  (await scheduler.sendRequest('GET', `/internal/v2/bots/${botId}/status`, teamId)).body.data['transcription_status'];
const waitForTranscription = (botId: string, status: string): Promise<boolean> =>
  waitFor(async () => (await statusOf(botId)) === status, { what: `transcription ${status}` });
const transcribed = async (over: Record<string, unknown> = {}): Promise<Requested> => {
  const botId = await scheduler.sendBot(teamId, 'completes', { transcription_enabled: true, ...over });
  await scheduler.waitForStatus(botId, 'transcribing');
  const [request] = await requests(botId);
  if (request === undefined) throw new Error('Nothing was requested.');
  return request;
};

describe('a bot that is to be transcribed', () => {
  test('is completed after its transcript, and charged for it', async () => {
    const request = await transcribed();
    const { botId } = request;
    expect(request).toMatchObject({ botId, teamId, fencing: 1, choice: { provider: 'local', keyField: null } });
    expect(await statusOf(botId)).toBe('queued');
    await notify(transcriptionStarted.type, { requestId: request.requestId, botId, teamId });
    await waitForTranscription(botId, 'processing');
    await end(request);
    const bot = await scheduler.waitForStatus(botId, 'completed');
    expect((await scheduler.history(botId)).slice(-3)).toEqual(['recording_succeeded', 'transcribing', 'completed']);
    expect(bot.tokens).toMatchObject({ recording: 90, transcription: 23, byok_transcription: 0, total: 113 });
    expect(bot.resource_usage).toMatchObject({ providerMs: 90_000 });
    expect(await statusOf(botId)).toBe('done');
    expect(await details(botId)).toMatchObject({
      transcription: expect.stringContaining('transcription.json'),
      transcription_provider: 'local',
      transcription_ids: null,
    });
    const [ended] = await scheduler.events(botId, 'bots.v1.ended');
    expect(ended).toMatchObject({ outcome: 'completed', transcriptionProvider: 'local' });
  });

  test('with a key of its own is charged less and shown the ids; only the transcriber reads the key', async () => {
    const request = await transcribed({ transcription_config: { provider: 'gladia', api_key: 'own key' } });
    const { botId } = request;
    expect(request.choice).toMatchObject({ provider: 'gladia', keyField: 'transcription_api_key' });
    const read = async (caller: string): Promise<unknown> => {
      const auth = createInternalAuth(caller, new Secret(internalSecret));
      const response = await auth.fetch('bot-scheduler', `${scheduler.url}${internalCalls.bots.secret.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ botId, teamId, field: 'transcription_api_key' }),
      });
      return await response.json();
    };
    expect(await read('transcriber')).toEqual({ secret: 'own key' });
    expect(await read('delivery')).toEqual({ secret: null });
    await end(request);
    const bot = await scheduler.waitForStatus(botId, 'completed');
    expect(bot.tokens).toMatchObject({ transcription: 0, byok_transcription: 5, total: 95 });
    expect(await details(botId)).toMatchObject({ transcription_provider: 'gladia', transcription_ids: ['job-1'] });
  });

  test("by the meeting's own captions reads them, and is charged for its recording only", async () => {
    const custom_params = { language: 'de' };
    const request = await transcribed({ transcription_config: { provider: 'meeting_captions', custom_params } });
    const { botId } = request;
    expect(request.choice).toMatchObject({ provider: 'meeting_captions', keyField: null });
    const [{ configuration } = { configuration: null }] = await scheduler.database.query<{ configuration: object }>(
      'select configuration from bots where id = $1',
      [botId],
    );
    expect(configuration).toMatchObject({ captions: { language: 'de' } });
    await end(request);
    const bot = await scheduler.waitForStatus(botId, 'completed');
    expect(bot.tokens).toMatchObject({ recording: 90, transcription: 0, byok_transcription: 0, total: 90 });
  });

  test('by captions that the meeting did not offer is transcribed by its fallback, and charged for that', async () => {
    const request = await transcribed({ transcription_config: { provider: 'meeting_captions', fallback: 'deepgram' } });
    expect(request.choice).toMatchObject({ provider: 'deepgram', keyField: null });
    await end(request);
    const bot = await scheduler.waitForStatus(request.botId, 'completed');
    expect(bot.tokens).toMatchObject({ recording: 90, transcription: 23 });
  });

  test('fails with TRANSCRIPTION_FAILED, pays for its recording only, and is completed by a new transcription', async () => {
    const first = await transcribed();
    const { botId } = first;
    await end(first, 'Gladia refused the key.');
    const failed = await scheduler.waitForStatus(botId, 'failed');
    expect(failed).toMatchObject({ end_code: 'TRANSCRIPTION_FAILED', end_message: 'Gladia refused the key.' });
    expect(failed.tokens).toMatchObject({ recording: 90, transcription: 0, total: 90 });
    expect((await scheduler.history(botId)).slice(-2)).toEqual(['transcription_failed', 'failed']);
    await withAudio(botId);
    expect((await again(botId)).status).toBe(200);
    expect((await again(botId)).status).toBe(409);
    const [, second] = await requests(botId);
    if (second === undefined) throw new Error('Nothing was requested again.');
    await end(second);
    const bot = await scheduler.waitForStatus(botId, 'completed');
    expect(bot).toMatchObject({ end_code: 'NO_SPEAKER', phase: 'completed' });
    expect(bot.tokens).toMatchObject({ recording: 90, transcription: 23, total: 113 });
    expect(await scheduler.events(botId, 'bots.v1.ended')).toHaveLength(1);
    const redelivered = await redeliveries(botId);
    expect(redelivered).toMatchObject([{ ended: { outcome: 'completed' } }]);
  });
});

const withAudio = (botId: string) =>
  scheduler.database.query(
    `update bots set artifacts = artifacts || '[{"kind":"audio","key":"artifacts/audio.flac","bytes":1,"sha256":"","contentType":"audio/flac"}]'
     where id = $1`,
    [botId],
  );
/** The gateway's request, with defaults applied. */
const again = (botId: string, body: unknown = null) =>
  scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/retranscribe`, teamId, body);

describe('a recording that is transcribed again', () => {
  test('gets the new transcript with another provider and key, and is published again', async () => {
    const first = await transcribed();
    const { botId } = first;
    await end(first);
    await scheduler.waitForStatus(botId, 'completed');
    await withAudio(botId);
    const refused = await again(botId, { transcription: { provider: 'soniox' } });
    expect(refused).toMatchObject({ status: 422, body: { code: 'FST_ERR_NOT_CONFIGURED' } });
    const captions = await again(botId, { transcription: { provider: 'meeting_captions' } });
    expect(captions).toMatchObject({ status: 400, body: { message: expect.stringContaining('read no captions') } });
    const response = await again(botId, { transcription: { provider: 'soniox', api_key: 'own' } });
    expect(response).toMatchObject({ status: 200, body: { success: true } });
    expect((await scheduler.bot(botId)).status).toBe('completed');
    const [, second] = await requests(botId);
    if (second === undefined) throw new Error('Nothing was requested again.');
    expect(second.choice).toMatchObject({
      provider: 'soniox',
      keyField: `transcription_api_key/${second.requestId}`,
    });
    // The result of an older request changes nothing.
    await end(first, 'too late');
    await end(second);
    await waitForTranscription(botId, 'done');
    const bot = await scheduler.bot(botId);
    expect(bot.artifacts.filter(({ kind }) => kind === 'transcription')).toHaveLength(1);
    expect(bot.tokens).toMatchObject({ transcription: 23, byok_transcription: 5, total: 118 });
    expect(await redeliveries(botId)).toHaveLength(1);
  });

  test('keeps its old transcript when the new one fails', async () => {
    const first = await transcribed();
    const { botId } = first;
    await end(first);
    await scheduler.waitForStatus(botId, 'completed');
    await withAudio(botId);
    await again(botId);
    const [, second] = await requests(botId);
    if (second === undefined) throw new Error('Nothing was requested again.');
    await end(second, 'It did not work.');
    await waitForTranscription(botId, 'error');
    expect((await scheduler.bot(botId)).artifacts.some(({ kind }) => kind === 'transcription')).toBe(true);
    expect((await scheduler.bot(botId)).status).toBe('completed');
  });
});
