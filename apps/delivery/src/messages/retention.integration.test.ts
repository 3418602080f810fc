import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { startReceiver, status } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { startWorkerUnderTest } from '../testing/worker-under-test.ts';
import type { WorkerUnderTest } from '../testing/worker-under-test.ts';
import { applyRetention, keepRetention } from './retention.ts';

const day = 24 * 3_600_000;
let under: WorkerUnderTest;
let receiver: Receiver;
beforeAll(async () => {
  [under, receiver] = await Promise.all([startWorkerUnderTest(), startReceiver()]);
});
afterAll(async () => {
  await under.stop();
  await receiver.close();
});
const dependencies = () => ({
  database: under.database,
  clock: under.clock,
  logger: createLogger('test', 'silent'),
  retentionDays: 30,
});
const stored = async (): Promise<string[]> =>
  (await under.database.query<{ message_id: string }>('select message_id from messages')).map((row) => row.message_id);

describe('retention', () => {
  test('removes what was settled long ago and keeps what is new or still in progress', async () => {
    const { teamId } = await under.endpoint(receiver.url);
    await under.message(teamId, 1);
    await under.after(0);
    await under.after(29 * day);
    const fresh = await under.message(teamId, 2);
    await under.after(0);
    await under.clock.advance(2 * day);
    receiver.response(status(500));
    const waiting = await under.message(teamId, 3);
    await under.after(0);
    await applyRetention(dependencies());
    expect(await stored()).toEqual(expect.arrayContaining([fresh, waiting]));
    expect(await stored()).toHaveLength(2);
    expect(await under.database.query('select 1 from attempts')).toHaveLength(2);
  });

  test('gives up what was held for too long, in the open, and removes it only as long again after that', async () => {
    const { teamId, endpointId } = await under.endpoint(receiver.url);
    await under.endpoints.update(teamId, endpointId, { enabled: false });
    const held = await under.message(teamId, 4);
    await under.clock.advance(29 * day);
    await applyRetention(dependencies());
    expect((await under.delivery(endpointId, held)).state).toBe('held');
    await under.clock.advance(2 * day);
    await applyRetention(dependencies());
    expect(await under.delivery(endpointId, held)).toMatchObject({
      state: 'failed',
      last_error: 'The endpoint stayed disabled for 30 days: the message was dropped.',
    });
    await under.clock.advance(31 * day);
    await applyRetention(dependencies());
    expect(await stored()).not.toContain(held);
  });

  test('forgets handled events once they can no longer come again', async () => {
    const now = new Date(under.clock.now());
    await under.database.query(
      `insert into inbox (consumer, event_id, handled_at) select 'delivery', gen_random_uuid(), at from unnest($1::timestamptz[]) as at`,
      [[now, new Date(now.getTime() - 13 * day), new Date(now.getTime() - 15 * day)]],
    );
    await applyRetention(dependencies());
    expect(await under.database.query('select 1 from inbox')).toHaveLength(2);
  });

  test('removes callbacks that were settled long ago, with their attempts, and no others', async () => {
    const now = new Date(under.clock.now());
    const longAgo = new Date(now.getTime() - 31 * day);
    await under.database.query(
      `with made as (
         select gen_random_uuid() as id, state, settled_at
           from (values ('succeeded', $2::timestamptz), ('failed', $1::timestamptz), ('pending', null)) as wanted (state, settled_at)
       ), address as (
         insert into webhook_endpoints (endpoint_id, team_id, owner_id, kind, trigger, url, events, enabled, created_at, updated_at)
         select id, id, id, 'callback', 'end', 'https://example.com/', '{}', true, $2, $2 from made
       ), message as (
         insert into messages (message_id, team_id, bot_id, event, body, created_at)
         select id::text, id, id, 'bot.completed', '', $2 from made
       ), delivery as (
         insert into deliveries (delivery_id, endpoint_id, message_id, partition, state, tries, attempts, next_attempt_at, created_at, settled_at)
         select id, id, id::text, 'partition', state, 1, 1, case when state = 'pending' then $1::timestamptz end, $2, settled_at from made
       )
       insert into attempts (attempt_id, delivery_id, number, outcome, started_at, duration_ms)
       select gen_random_uuid(), id, 1, 'failed', $2, 1 from made`,
      [now, longAgo],
    );
    await applyRetention(dependencies());
    expect(
      await under.database.query(`select state from deliveries where partition = 'partition' order by state`),
    ).toEqual([{ state: 'failed' }, { state: 'pending' }]);
    const attempts = await under.database.query(
      `select 1 from attempts join deliveries using (delivery_id) where partition = 'partition'`,
    );
    expect(attempts).toHaveLength(2);
    expect(await under.database.query('select 1 from webhook_endpoints where owner_id is not null')).toHaveLength(2);
  });

  test('forgets which bots were forgotten once nothing of them can come any more', async () => {
    const now = new Date(under.clock.now());
    await under.database.query(
      `insert into forgotten_bots (bot_id, forgotten_at) select gen_random_uuid(), at from unnest($1::timestamptz[]) as at`,
      [[now, new Date(now.getTime() - 13 * day), new Date(now.getTime() - 15 * day)]],
    );
    await applyRetention(dependencies());
    expect(await under.database.query('select 1 from forgotten_bots')).toHaveLength(2);
  });

  test('runs again every hour until it is stopped', async () => {
    const { teamId } = await under.endpoint(receiver.url);
    receiver.response((_call, response) => void response.end());
    await under.message(teamId, 5);
    await under.after(0);
    const running = keepRetention(dependencies());
    await under.clock.advance(31 * day);
    await waitFor(
      async () => {
        await under.clock.advance(day / 24);
        return (await under.database.query(`select 1 from deliveries where state = 'succeeded'`)).length === 0;
      },
      { what: 'the old message to go' },
    );
    await running.stop();
    await running.stop();
  });
});
