import { randomUUID } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import type { RuleRow, WantedBotRow } from '../schema/entities.ts';
import { planBots } from './plan-bots.ts';
import type { PlannedBot } from './plan-bots.ts';
import type { TeamTransaction } from './team-transaction.ts';
import type { WantingEvent } from './wanted-bot.ts';

/** Updates the wanted bots of a team for these events, in the transaction that changed them. */
export type DecideBots = (transaction: TeamTransaction, teamId: string, eventIds: readonly string[]) => Promise<void>;

export function createDecideBots(now: () => number): DecideBots {
  return async (transaction, teamId, eventIds) => {
    if (eventIds.length === 0) return;
    const rules = await transaction.query<RuleRow>(
      'select * from rules where team_id = $1 and enabled order by created_at, rule_id',
      [teamId],
    );
    const { events, bots } = await loadAround(transaction, { teamId, eventIds, hasRules: rules.length > 0 });
    const plan = planBots({ teamId, events, bots, rules, nowMs: now() });
    await write(transaction, teamId, { plan, at: new Date(now()) });
  };
}

interface Around {
  readonly teamId: string;
  readonly eventIds: readonly string[];
  /** False: only events with a configuration of their own or of their series can want a bot. */
  readonly hasRules: boolean;
}

/** Events of a room that begin further apart cannot be one meeting, nor can events between them connect them. */
const around = `interval '1 hour'`;

/** Loads these events, all other events of the same meetings, and their bots, as far as they can want a bot. */
async function loadAround(transaction: Executor, { teamId, eventIds, hasRules }: Around) {
  const touched = await transaction.query<{ meeting_key: string; event_id: string; at: Date }>(
    `with given as (
       select event.meeting_key, event.event_id, event.start_at as at,
         event.bot_config_id is not null or series.bot_config_id is not null as is_configured
       from events event join series on series.series_id = event.series_id
       where event.team_id = $1 and event.event_id = any($2::uuid[]))
     select meeting_key, event_id, at from given where $3 or is_configured
     union select bot.meeting_key, bot.event_id, bot.join_at from wanted_bots bot join given using (event_id)
       where bot.team_id = $1 and bot.state = 'wanted'
     union select bot.meeting_key, bot.event_id, bot.join_at from wanted_bots bot join given using (meeting_key)
       where bot.team_id = $1 and bot.state = 'wanted' and bot.join_at between at - ${around} and at + ${around}`,
    [teamId, eventIds, hasRules],
  );
  if (touched.length === 0) return { events: [], bots: [] };
  const ids = touched.map(({ event_id }) => event_id);
  const keysOf = (places: readonly { readonly meeting_key: string }[]) => places.map(({ meeting_key }) => meeting_key);
  const events = await transaction.query<WantingEvent>(
    `with place as (select * from unnest($2::text[], $3::timestamptz[]) as place (meeting_key, at)),
     chosen as (
       select event.event_id from events event join place using (meeting_key)
         where event.team_id = $1 and event.start_at between at - ${around} and at + ${around}
       union select event_id from events where team_id = $1 and event_id = any($4::uuid[]))
     ${wantingEventSql} join chosen on chosen.event_id = event.event_id
     where connection.deleted_at is null and event.status <> 'cancelled' and event.meeting_url is not null
       and not event.is_all_day and ($5 or event.bot_config_id is not null or series.bot_config_id is not null)`,
    [teamId, keysOf(touched), touched.map(({ at }) => at), ids, hasRules],
  );
  const bots = await transaction.query<WantedBotRow>(
    `with place as (select * from unnest($2::text[], $3::timestamptz[]) as place (meeting_key, at)),
     chosen as (
       select bot.bot_id from wanted_bots bot join place using (meeting_key)
         where bot.team_id = $1 and bot.state in ('wanted', 'over')
           and bot.join_at between at - ${around} and at + ${around}
       union select bot_id from wanted_bots where team_id = $1 and state = 'wanted' and event_id = any($4::uuid[]))
     select bot.* from wanted_bots bot join chosen using (bot_id) order by created_at, bot_id`,
    [
      teamId,
      [...keysOf(touched), ...keysOf(events)],
      [...touched.map(({ at }) => at), ...events.map(({ start_at }) => start_at)],
      [...ids, ...events.map((event) => event.event_id)],
    ],
  );
  return { events, bots };
}

export const wantingEventSql = `
  select event.event_id, event.calendar_id, event.series_id, event.meeting_key, event.title, event.start_at, event.end_at,
    event.is_all_day, event.status, event.is_private, event.is_organizer, event.own_response, event.kind, event.meeting_url,
    event.meeting_platform, event.meeting_links, event.notices, event.organizer_email, event.attendees, event.bot_config_id, event.bot_excluded,
    series.bot_config_id as series_config_id, series.bot_excluded as series_excluded, connection.account_email,
    settings.own_domains, settings.one_bot_per
  from events event join series on series.series_id = event.series_id
    join connections connection on connection.calendar_id = event.calendar_id
    left join team_settings settings on settings.team_id = event.team_id`;

interface Decision {
  readonly plan: ReturnType<typeof planBots>;
  readonly at: Date;
}

async function write(transaction: Executor, teamId: string, { plan, at }: Decision): Promise<void> {
  await transaction.query(
    `update wanted_bots set state = 'cancelled', version = version + 1, next_attempt_at = $2, attempts = 0, updated_at = $2
     where bot_id = any($1::uuid[])`,
    [plan.cancelled, at],
  );
  await transaction.query(`update wanted_bots set state = 'over', updated_at = $2 where bot_id = any($1::uuid[])`, [
    plan.over,
    at,
  ]);
  // Clears the unique keys first: two bots may exchange meetings.
  const moving = plan.changed.map(({ botId }) => botId);
  await transaction.query(`update wanted_bots set meeting_key = 'moving/' || bot_id where bot_id = any($1::uuid[])`, [
    moving,
  ]);
  for (const bot of plan.changed) await change(transaction, bot, at);
  for (const bot of plan.created) {
    await transaction.query(
      `insert into wanted_bots (bot_id, team_id, event_id, scope_id, meeting_key, config_id, join_at, shared_until,
         meeting_url, state, version, applied_version, next_attempt_at, attempts, created_at, updated_at)
       values ($2, $3, $4, $5, $6, $7, $8, $9, $10, 'wanted', 1, 0, $1, 0, $1, $1)`,
      [at, randomUUID(), teamId, ...columnsOf(bot)],
    );
  }
}

async function change(transaction: Executor, bot: PlannedBot & { readonly botId: string }, at: Date): Promise<void> {
  await transaction.query(
    `update wanted_bots set event_id = $3, scope_id = $4, meeting_key = $5, config_id = $6, join_at = $7, shared_until = $8,
       meeting_url = $9, version = version + 1, next_attempt_at = $1, attempts = 0, error_code = null,
       error_message = null, updated_at = $1
     where bot_id = $2`,
    [at, bot.botId, ...columnsOf(bot)],
  );
}

const columnsOf = ({ eventId, scopeId, meetingKey, configId, joinAt, sharedUntil, meetingUrl }: PlannedBot) => [
  eventId,
  scopeId,
  meetingKey,
  configId,
  joinAt,
  sharedUntil,
  meetingUrl,
];
