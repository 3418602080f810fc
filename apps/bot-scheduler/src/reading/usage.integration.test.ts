import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';
import type { BotUsage, DailyUsage } from './usage.routes.ts';

let scheduler: TestScheduler;
let teamId: string;
const botIds: string[] = [];

beforeAll(async () => {
  scheduler = await startTestScheduler();
  teamId = await addTeam(scheduler.database);
  for (let count = 0; count < 3; count += 1) {
    const botId = await scheduler.sendBot(teamId, 'completes', { allow_multiple_bots: true });
    await scheduler.waitForStatus(botId, 'completed');
    botIds.unshift(botId);
  }
});
afterAll(() => scheduler.stop());

async function read<T>(path: string, team = teamId) {
  const { status, body } = await scheduler.sendRequest('GET', path, team);
  return { status, ...(body as unknown as { data: T[]; cursor: string | null; prev_cursor: string | null }) };
}

describe('resource usage', () => {
  test('of a bot is what its runner reported, with what it recorded and was charged', async () => {
    const { data } = await read<BotUsage>('/internal/v2/usage/bots');
    expect(data.map(({ bot_id }) => bot_id)).toEqual(botIds);
    expect(data[0]).toEqual({
      bot_id: botIds[0],
      ended_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      meeting_platform: 'meet',
      recorded_seconds: 90,
      cpu_seconds: 12,
      peak_memory_bytes: 400_000_000,
      stored_bytes: 5_000_000,
      provider_seconds: 0,
      tokens: 90,
    });
  });

  test('is paged in both directions', async () => {
    const first = await read<BotUsage>('/internal/v2/usage/bots?limit=2');
    const second = await read<BotUsage>(`/internal/v2/usage/bots?limit=2&cursor=${first.cursor ?? ''}`);
    expect([...first.data, ...second.data].map(({ bot_id }) => bot_id)).toEqual(botIds);
    expect(second.cursor).toBeNull();
    const back = await read<BotUsage>(`/internal/v2/usage/bots?limit=2&cursor=${second.prev_cursor ?? ''}`);
    expect(back.data).toEqual(first.data);
    expect((await read('/internal/v2/usage/bots?cursor=nonsense')).status).toBe(400);
  });

  test('of a day is the sum of the bots that ended on it', async () => {
    const { data } = await read<DailyUsage>('/internal/v2/usage');
    expect(data.reduce((sum, { bots }) => sum + bots, 0)).toBe(3);
    expect(data.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0)).toBe(36);
    expect(data[0]?.day).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const before of ['2020-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0001-01-31T00:00:00Z'])
      expect(await read(`/internal/v2/usage?ended_before=${before}`)).toMatchObject({ status: 200, data: [] });
  });

  test('of another team is not shown', async () => {
    const stranger = await addTeam(scheduler.database);
    expect((await read('/internal/v2/usage/bots', stranger)).data).toEqual([]);
    expect((await read('/internal/v2/usage', stranger)).data).toEqual([]);
  });

  test('is measured too: ends, lost media, and bots that are there', async () => {
    const text = await (await fetch(`${scheduler.url}/metrics`)).text();
    expect(text).toMatch(/^rapporteur_bots_ended_total\{.*platform="meet".*outcome="completed".*\} 3$/m);
    expect(text).toMatch(/^rapporteur_lost_media_seconds_total\{.*platform="meet".*\} 4\.5$/m);
    expect(text).toMatch(/^rapporteur_bot_phase_duration_seconds_count\{.*phase="recording".*\} 3$/m);
    expect(text).toMatch(/^rapporteur_queued_bots\{.*\} 0$/m);
  });
});
