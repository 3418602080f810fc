import type { SchedulerProcess } from './scheduler-process.ts';
import { createBody } from './create-body.ts';
import { addTeam } from './test-scheduler.ts';

/**
 * Schedules bots of one team: the first through the API, the others as copies of its row.
 * @param everyMs from the join time of one to that of the next; 0: all join at the same time
 */
export async function scheduleBots(
  scheduler: SchedulerProcess,
  bots: number,
  joinAt: Date,
  everyMs = 0,
): Promise<{ readonly teamId: string }> {
  const teamId = await addTeam(scheduler.database, { dailyBotCap: 1_000_000, tokens: 3_600_000_000 });
  const body = createBody({ bot_name: 'records', join_at: new Date(Date.now() + 86_400_000).toISOString() });
  const { status, body: reply } = await scheduler.sendRequest('POST', '/internal/v2/bots/scheduled', teamId, body);
  if (status !== 201) throw new Error(`The bot was refused with ${status}: ${JSON.stringify(reply)}`);
  const first = reply.data['bot_id'] as unknown as string;
  await scheduler.database.query('update scheduled_bots set join_at = $2 where id = $1', [first, joinAt]);
  await scheduler.database.query(
    `insert into scheduled_bots
     select (jsonb_populate_record(null::scheduled_bots, to_jsonb(one) || jsonb_build_object(
       'id', gen_random_uuid(), 'number', nextval(pg_get_serial_sequence('bots', 'number')),
       'join_at', one.join_at + (place - 1) * $3::float8 * interval '1 millisecond'))).*
     from scheduled_bots one, generate_series(2, $2::int) place where one.id = $1`,
    [first, bots, everyMs],
  );
  return { teamId };
}
