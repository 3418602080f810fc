import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openS3Store } from '@rapporteur/object-store';
import { startStrictStore } from '@rapporteur/object-store/testing';
import type { StrictStore } from '@rapporteur/object-store/testing';
import { startStorage } from '../testing/storage-under-test.ts';
import type { StorageUnderTest } from '../testing/storage-under-test.ts';

let strict: StrictStore;
let storage: StorageUnderTest;
let team = '';
beforeAll(async () => {
  strict = await startStrictStore();
  storage = await startStorage();
});
afterAll(async () => {
  await storage.stop();
  await strict.stop();
});
beforeEach(async () => {
  team = randomUUID();
  strict.limit({});
  await configure();
});

async function configure(over: Record<string, unknown> = {}): Promise<void> {
  const bucket = `bucket-${team}`;
  const keys = { access_key_id: 'a', secret_access_key: 's' };
  const named = (name: string) =>
    Object.fromEntries(Object.entries(keys).map(([key, value]) => [`${name}_${key}`, value]));
  const buckets = { artifacts_bucket: bucket, audio_chunks_bucket: bucket, logs_bucket: bucket };
  const address = { endpoint: strict.endpoint, region: 'auto', force_path_style: true };
  const body = { ...address, ...buckets, ...named('ingest'), ...named('service'), ...over };
  const response = await storage.api('PUT', '/v2/storage-config', { body, team });
  expect([response.status, response.body['message']]).toEqual([200, undefined]);
}

async function recorded(): Promise<string> {
  const botId = randomUUID();
  const runner = await storage.scheduler.grant(botId, 1, 48 * 3_600_000, team);
  for (const key of ['artifacts/video.mp4', 'segments/0001/000001.m4s', 'segments/0001/000002.m4s'])
    expect((await runner.put(key, Buffer.from(key))).status).toBe(201);
  return botId;
}

/** A bot whose object is held and due for the bucket, which takes it now. */
async function holdObject(): Promise<string> {
  await configure({ allow_transient_spill: true });
  const botId = randomUUID();
  const runner = await storage.scheduler.grant(botId, 1, 48 * 3_600_000, team);
  strict.limit({ refusesPuts: /./ });
  await runner.put('artifacts/a.txt', Buffer.from('held'));
  expect((await runner.put('artifacts/a.txt', Buffer.from('held'))).status).toBe(201);
  strict.limit({});
  storage.advance(31_000);
  return botId;
}

const keysOf = (botId: string) => strict.keys().filter((key) => key.startsWith(`bucket-${team}/${botId}/`));

describe("deleting a bot's objects from a team's bucket", () => {
  test('is confirmed and complete where the store wants Content-MD5 or knows only single deletions', async () => {
    for (const limits of [{ requiresMd5: true }, { refusesMultiDelete: true }]) {
      const botId = await recorded();
      strict.limit(limits);
      expect(await storage.scheduler.deleteData(botId, team)).toEqual({ confirmed: true });
      expect(keysOf(botId)).toEqual([]);
    }
  });

  test('is not confirmed, with the reason, while the store keeps an object', async () => {
    const botId = await recorded();
    strict.limit({ locked: /000002/ });
    expect(await storage.scheduler.deleteData(botId, team)).toEqual({
      confirmed: false,
      reason:
        'The object store refuses this access key the request. (HTTP 403, AccessDenied: Access Denied because object protected by object lock.)',
    });
    expect(keysOf(botId)).toHaveLength(1);
    strict.limit({});
    expect(await storage.scheduler.deleteData(botId, team)).toEqual({ confirmed: true });
    expect(keysOf(botId)).toEqual([]);
  });

  test('holds for a held object that reaches the bucket only afterwards', async () => {
    const botId = await holdObject();
    // The deletion runs while the bucket receives the object.
    strict.onPut(() => storage.scheduler.deleteData(botId, team));
    expect(await storage.retrySpilled()).toBe(0);
    expect(keysOf(botId)).toHaveLength(1);
    storage.advance(21 * 60_000);
    expect(await storage.deleteLateWrites()).toBeGreaterThan(0);
    expect(keysOf(botId)).toEqual([]);
  });

  test('holds for a held object that reaches the bucket after the second deletion', async () => {
    const botId = await holdObject();
    // Both deletions run while the bucket receives the object.
    strict.onPut(async () => {
      await storage.scheduler.deleteData(botId, team);
      storage.advance(21 * 60_000);
      expect(await storage.deleteLateWrites()).toBeGreaterThan(0);
    });
    expect(await storage.retrySpilled()).toBe(0);
    expect(keysOf(botId)).toHaveLength(1);
    expect(await storage.deleteLateWrites()).toBe(1);
    expect(keysOf(botId)).toEqual([]);
  });

  test('is repeated until the store has confirmed what arrived late', async () => {
    const botId = randomUUID();
    await storage.scheduler.grant(botId, 1, 48 * 3_600_000, team);
    expect(await storage.scheduler.deleteData(botId, team)).toEqual({ confirmed: true });
    const theirs = openS3Store({
      endpoint: strict.endpoint,
      region: 'auto',
      bucket: `bucket-${team}`,
      credentials: { accessKeyId: 'a', secretAccessKey: 's' },
      forcePathStyle: true,
    });
    await theirs.put(`${botId}/attempts/0001/late`, Buffer.from('late'), { contentType: 'text/plain' });
    await theirs.close();
    storage.advance(21 * 60_000);
    strict.limit({ locked: /late/ });
    await expect(storage.deleteLateWrites()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    strict.limit({});
    expect(await storage.deleteLateWrites()).toBe(1);
    expect(keysOf(botId)).toEqual([]);
  });
});

test('released fragments count as removed only once the store has confirmed it', async () => {
  const botId = await recorded();
  await storage.database.query(
    `update bot_storage set fragments_released_at = now() - interval '2 days' where bot_id = $1`,
    [botId],
  );
  strict.limit({ locked: /000002/ });
  await expect(storage.removeReleasedFragments()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const removed = () =>
    storage.database.query('select from bot_storage where bot_id = $1 and fragments_removed_at is not null', [botId]);
  expect(await removed()).toEqual([]);
  strict.limit({});
  expect(await storage.removeReleasedFragments()).toBe(1);
  expect(keysOf(botId)).toEqual([`bucket-${team}/${botId}/artifacts/video.mp4`]);
});
