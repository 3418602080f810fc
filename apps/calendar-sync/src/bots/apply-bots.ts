import type { CalendarBotResult, internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import type { Clock, InternalClient, Logger } from '@rapporteur/service-runtime';
import { leasedRows } from '@rapporteur/work-queue';
import { isBotOfEventSql } from '../notices/write-notices.ts';
import type { WantedBotRow } from '../schema/entities.ts';
import type { Sealing } from '../sealing.ts';
import { readBotConfigs } from './bot-configs.store.ts';
import type { BotConfig } from './bot-configs.store.ts';
import type { DecideBots } from './decide-bots.ts';
import { teamTransaction } from './team-transaction.ts';
import type { TeamTransaction } from './team-transaction.ts';

/** Client of bot-scheduler. Both calls throw UNAVAILABLE without a valid response. */
export type SchedulerClient = InternalClient<typeof internalCalls.calendarBots>;

export interface ApplyDependencies {
  readonly database: Database;
  readonly scheduler: Pick<SchedulerClient, 'apply'>;
  readonly sealing: Sealing;
  readonly decideBots: DecideBots;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Longer than a request to bot-scheduler can take, so that a cancellation never overtakes a schedule. */
const claimedForMs = 60_000;
const botsAtOnce = 100;
const mostRounds = 1_000;
const dueBots = leasedRows<WantedBotRow>({
  table: 'wanted_bots',
  key: ['bot_id'],
  due: 'next_attempt_at',
  attempts: 'attempts',
});

/** Sends every due change of wanted bots to bot-scheduler. Returns their number. @param botIds only these */
export async function applyDueBots(
  dependencies: ApplyDependencies,
  botIds: readonly string[] | null = null,
): Promise<number> {
  let applied = 0;
  if (botIds === null) await handOver(dependencies);
  for (let round = 0; round < mostRounds; round += 1) {
    const at = new Date(dependencies.clock.now());
    const claimed = await dueBots.claim(dependencies.database, {
      at,
      limit: botsAtOnce,
      leaseMs: claimedForMs,
      only: botIds,
    });
    if (claimed.length === 0) break;
    for (const [teamId, bots] of Map.groupBy(claimed, ({ team_id }) => team_id)) {
      await applyForTeam(dependencies, teamId, bots);
      applied += bots.length;
    }
  }
  return applied;
}

/** In hours: longer ago no bot begins. */
const handOverHours = 4;

/** The bot of a meeting leaves when the bot of the room's next meeting is due: no two record the same one. */
async function handOver({ database, clock }: ApplyDependencies): Promise<void> {
  // Locked rows are left for the next call: this waits for no decision, and none for this.
  await database.query(
    `update wanted_bots set state = 'over', version = version + 1, next_attempt_at = $1, attempts = 0, updated_at = $1
     where bot_id in (
       select bot.bot_id from wanted_bots next join wanted_bots bot on bot.team_id = next.team_id
         and bot.scope_id = next.scope_id and bot.meeting_key = next.meeting_key and bot.state = 'wanted'
         and bot.join_at < next.join_at
       where next.state = 'wanted' and next.applied_version = next.version and next.error_code is null and next.join_at between $1::timestamptz - interval '${handOverHours} hours' and $1
         and bot.join_at > $1::timestamptz - interval '1 day'
       for update of bot skip locked)`,
    [new Date(clock.now())],
  );
}

async function applyForTeam(
  dependencies: ApplyDependencies,
  teamId: string,
  bots: readonly WantedBotRow[],
): Promise<void> {
  const { database, sealing, scheduler, logger } = dependencies;
  const configs = await readBotConfigs(
    database,
    sealing,
    bots.map(({ config_id }) => config_id),
  );
  const request = { teamId, bots: bots.map((bot) => requestOf(bot, configs.get(bot.config_id))) };
  let results: readonly CalendarBotResult[];
  try {
    ({ results } = await scheduler.apply(request));
  } catch (error) {
    // They stay claimed and are sent again when the claim expires.
    logger.warn({ err: error, teamId, bots: bots.length }, 'Bots of calendars could not be scheduled; trying again.');
    return;
  }
  const byId = new Map(results.map((result) => [result.botId, result]));
  for (const bot of bots) {
    const result = byId.get(bot.bot_id);
    if (result !== undefined)
      await teamTransaction(database, teamId, (transaction) => settle(dependencies, transaction, { bot, result }));
  }
}

function requestOf(bot: WantedBotRow, config: BotConfig | undefined) {
  const { bot_id: botId, event_id: eventId, version, join_at, meeting_url } = bot;
  const isWanted = bot.state === 'wanted' && config !== undefined;
  const body = { ...config, meeting_url, allow_multiple_bots: true };
  // A meeting that had begun is joined at once; bot-scheduler's limit of delay counts from then.
  const joinAt = new Date(Math.max(join_at.getTime(), bot.created_at.getTime())).toISOString();
  return { botId, eventId, version, wanted: isWanted ? { joinAt, body } : null };
}

interface Settlement {
  readonly bot: WantedBotRow;
  readonly result: CalendarBotResult;
}

/** A result of another version or claim than the row has now changes nothing: the newer one settles the row. */
async function settle(
  dependencies: ApplyDependencies,
  transaction: TeamTransaction,
  { bot, result }: Settlement,
): Promise<void> {
  const { clock, logger } = dependencies;
  const at = new Date(clock.now());
  // The lock on the row keeps off the hand-over, which takes no lock of the team.
  const [claimed] = await transaction.query(
    'select 1 from wanted_bots where bot_id = $1 and version = $2 and attempts = $3 and state = $4 for update',
    [bot.bot_id, bot.version, bot.attempts, bot.state],
  );
  if (claimed === undefined) return;
  const { outcome, error } = result;
  // The request that schedules it may still be in progress.
  const isEarly = bot.state === 'cancelled' && outcome === 'unknown' && bot.attempts < 2;
  if (outcome === 'failed' || isEarly) {
    await noteOutcome(transaction, bot, { error, retryAt: new Date(at.getTime() + claimedForMs) });
    return;
  }
  if (bot.state === 'wanted' && mustBeReplaced(bot, result, at)) {
    await transaction.query(
      `update wanted_bots set state = 'cancelled', version = version + 1, next_attempt_at = $2, attempts = 0, updated_at = $2
       where bot_id = $1`,
      [bot.bot_id, at],
    );
    await dependencies.decideBots(transaction, bot.team_id, [bot.event_id]);
    return;
  }
  if (bot.state === 'wanted' && outcome === 'stopped') {
    // The customer cancelled the schedule directly: the calendar does not schedule it again.
    await transaction.query(`update wanted_bots set state = 'over', updated_at = $2 where bot_id = $1`, [
      bot.bot_id,
      at,
    ]);
    await transaction.query(
      `update events event set bot_excluded = true from wanted_bots bot where bot.bot_id = $1 and ${isBotOfEventSql}`,
      [bot.bot_id],
    );
  }
  if (error !== null)
    logger.warn({ botId: bot.bot_id, teamId: bot.team_id, code: error.code }, 'A calendar bot was refused.');
  await noteOutcome(transaction, bot, { error, retryAt: null });
}

/**
 * The schedule was withdrawn; or the bot started or ended, for a time or link that the event no longer has, and the
 * event is in the future.
 */
function mustBeReplaced(bot: WantedBotRow, { outcome, current }: CalendarBotResult, at: Date): boolean {
  if (outcome === 'withdrawn') return true;
  if ((outcome !== 'running' && outcome !== 'ended') || current === null || bot.join_at <= at) return false;
  return current.joinAt !== bot.join_at.toISOString() || current.meetingUrl !== bot.meeting_url;
}

interface Noted {
  readonly error: CalendarBotResult['error'];
  readonly retryAt: Date | null;
}

async function noteOutcome(transaction: TeamTransaction, bot: WantedBotRow, { error, retryAt }: Noted): Promise<void> {
  await transaction.query(
    `update wanted_bots set applied_version = case when $4::timestamptz is null then version else applied_version end,
       error_code = $2, error_message = $3, next_attempt_at = $4 where bot_id = $1`,
    [bot.bot_id, error?.code ?? null, error?.message ?? null, retryAt],
  );
}
