import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { createBody } from '../testing/create-body.ts';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

const root = '/internal/v2/bots/scheduled';
let scheduler: TestScheduler;
let teamId: string;
beforeAll(async () => {
  scheduler = await startTestScheduler({ settings: { SCHEDULED_LEAD_MS: '4000', PICKUP_DELAYED_AFTER_MS: '1500' } });
  teamId = await addTeam(scheduler.database);
});
afterAll(() => scheduler.stop());

/** The legacy API allows short notice, which keeps this test short. */
async function scheduleIn(ms: number, scenario: string): Promise<{ botId: string; joinAt: number }> {
  const joinAt = Date.now() + ms;
  const legacy = { webhook_url: null, api_key: null, deduplication_key: scenario };
  const body = createBody({ bot_name: scenario, join_at: new Date(joinAt).toISOString(), legacy });
  const response = await scheduler.sendRequest('POST', root, teamId, body);
  expect(response.status).toBe(201);
  return { botId: response.body.data['bot_id'] as unknown as string, joinAt };
}
const stateOf = async (botId: string) =>
  (await scheduler.sendRequest('GET', `${root}/${botId}`, teamId)).body.data['status'];

describe('a scheduled bot', () => {
  test('has its runner ready in time, joins in the second it was scheduled for, and ends its schedule with it', async () => {
    const { botId, joinAt } = await scheduleIn(6_000, 'completes');
    expect(await stateOf(botId)).toBe('scheduled');
    await waitFor(
      async () => (await scheduler.database.query('select 1 from bots where id = $1', [botId])).length > 0,
      {
        what: 'the schedule to become a bot',
      },
    );
    await scheduler.waitForStatus(botId, 'completed');
    const [joined] = await scheduler.database.query<{ at: Date }>(
      `select at from bot_history where bot_id = $1 and code = 'joining_call'`,
      [botId],
    );
    const [lease] = await scheduler.database.query<{ renewed_at: Date; created_at: Date }>(
      'select created_at, renewed_at from leases where bot_id = $1',
      [botId],
    );
    expect(lease?.created_at.getTime()).toBeLessThan(joinAt);
    const lateMs = (joined?.at.getTime() ?? 0) - joinAt;
    expect(lateMs).toBeGreaterThanOrEqual(0);
    // Lateness is measured on a quiet machine (burst.cluster.test.ts).
    expect(lateMs).toBeLessThan(10_000);
    expect(await scheduler.history(botId)).not.toContain('pickup_delayed');
    expect(await stateOf(botId)).toBe('completed');
  });

  test('whose bot fails has failed itself', async () => {
    const { botId } = await scheduleIn(0, 'rejected');
    await waitFor(async () => (await stateOf(botId)) === ('failed' as unknown), {
      what: 'the schedule to have failed',
    });
    expect(await scheduler.bot(botId)).toMatchObject({ status: 'failed', end_code: 'BOT_NOT_ACCEPTED' });
  });
});
