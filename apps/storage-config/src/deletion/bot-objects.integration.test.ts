import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import { createService } from '@rapporteur/service-runtime';
import { internalSecret, startStorage, teamId } from '../testing/storage-under-test.ts';
import type { StorageUnderTest } from '../testing/storage-under-test.ts';

let storage: StorageUnderTest;
beforeAll(async () => {
  storage = await startStorage();
});
afterAll(() => storage.stop());

const put = (botId: string, key: string) =>
  storage.store.put(`bots/${botId}/${key}`, Buffer.from('content'), { contentType: 'text/plain' });

const objectsOf = async (botId: string) => (await storage.store.list({ prefix: `bots/${botId}/` })).objects;

async function remove(body: unknown, caller = 'bot-scheduler'): Promise<Response> {
  const service = createService({ name: caller, logLevel: 'silent', internalSecret });
  try {
    return await service.auth.fetch('storage-config', storage.url + internalCalls.storage.deleteBotObjects.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } finally {
    await service.stop();
  }
}

describe('deleting the objects of a bot', () => {
  test('takes all of them, leaves other bots alone, ends links that were given, and may be repeated', async () => {
    const [botId, other] = [randomUUID(), randomUUID()];
    await Promise.all([put(botId, 'video.mp4'), put(botId, 'segments/1/000001.mp4'), put(other, 'video.mp4')]);
    const [url, otherUrl] = [
      await storage.scheduler.urlOf(botId, 'video.mp4'),
      await storage.scheduler.urlOf(other, 'video.mp4'),
    ];
    expect((await fetch(url)).status).toBe(200);
    for (const _time of [1, 2]) {
      const response = await remove({ botId, teamId });
      expect([response.status, await response.json()]).toEqual([200, { confirmed: true }]);
    }
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(otherUrl)).status).toBe(200);
    expect(await objectsOf(botId)).toEqual([]);
  });

  test('refuses every grant of the bot from then on, old and new', async () => {
    const botId = randomUUID();
    const holder = await storage.scheduler.grant(botId);
    const write = (key: string) => holder.put(key, Buffer.from('content'));
    expect((await write('one')).status).toBe(201);
    expect((await remove({ botId, teamId })).status).toBe(200);
    expect((await write('two')).status).toBe(403);
    expect(await objectsOf(botId)).toEqual([]);
    await expect(storage.scheduler.grant(botId, 2)).rejects.toThrow();
  });

  test("does nothing to another team's bot", async () => {
    const botId = randomUUID();
    await storage.scheduler.grant(botId);
    await put(botId, 'video.mp4');
    expect((await remove({ botId, teamId: randomUUID() })).status).toBe(403);
    expect(await objectsOf(botId)).toHaveLength(1);
  });

  test.each([
    ['a request that names no bot', {}, 'bot-scheduler', 400],
    ['another service', { botId: randomUUID(), teamId }, 'delivery', 401],
  ])('refuses %s', async (_what, body, caller, status) => {
    expect((await remove(body, caller)).status).toBe(status);
  });
});
