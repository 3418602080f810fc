import type { Executor } from '@rapporteur/database';
import type { MeetingLink } from '@rapporteur/meeting-links';
import type { LegacyRow, StoredRequest } from '../schema/bot-entity.ts';
import type { ScheduledBotRow } from '../schema/entities.ts';

export interface ScheduledContent {
  readonly joinAt: Date;
  readonly link: MeetingLink;
  readonly request: StoredRequest;
  readonly extra: Record<string, unknown> | null;
}

export interface NewScheduledBot extends ScheduledContent {
  readonly id: string;
  readonly teamId: string;
  readonly at: Date;
  readonly legacy: LegacyRow | null;
  readonly deduplicationKey: string | null;
  readonly apiKeyId: string | null;
}

/** False when an earlier attempt of the same request has written it already, or the team is unknown. */
export async function insertScheduled(transaction: Executor, bot: NewScheduledBot): Promise<boolean> {
  const written = await transaction.query(
    `with clock as (
       update token_accounts set newest_bot_at = greatest($3::timestamptz, newest_bot_at + interval '1 millisecond')
       where team_id = $2 returning newest_bot_at as at)
     insert into scheduled_bots (
       id, team_id, number, created_at, updated_at, join_at, state, bot_name, meeting_url, meeting_platform, link, request, extra,
       legacy, deduplication_key, api_key_id)
     select $1, $2, nextval(pg_get_serial_sequence('bots', 'number')), clock.at, clock.at, $4, 'scheduled', $5, $6, $7,
       $8::jsonb, $9::jsonb, $10::jsonb, $11::jsonb, $12, $13 from clock
     on conflict (id) do nothing returning 1`,
    [bot.id, bot.teamId, bot.at, ...contentColumns(bot), json(bot.legacy), bot.deduplicationKey, bot.apiKeyId],
  );
  return written.length > 0;
}

/** Replaces the settings of a scheduled bot; requires its lock (`lockScheduled`). */
export async function updateScheduled(
  transaction: Executor,
  id: string,
  content: ScheduledContent,
  at: Date,
): Promise<void> {
  await transaction.query(
    `update scheduled_bots set updated_at = $2, join_at = $3, bot_name = $4, meeting_url = $5, meeting_platform = $6,
       link = $7::jsonb, request = $8::jsonb, extra = $9::jsonb where id = $1`,
    [id, at, ...contentColumns(content)],
  );
}

function contentColumns({ joinAt, link, request, extra }: ScheduledContent): unknown[] {
  const { bot_name, meeting_url } = request;
  return [joinAt, bot_name, meeting_url, link.platform, json(link), json(request), json(extra)];
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The team's scheduled bot, locked until the transaction ends, or null. */
export async function lockScheduled(
  transaction: Executor,
  id: string,
  teamId: string,
): Promise<ScheduledBotRow | null> {
  const [row] = await transaction.query<ScheduledBotRow>(
    'select * from scheduled_bots where id = $1 and team_id = $2 for update',
    [id, teamId],
  );
  return row ?? null;
}

export async function findScheduled(executor: Executor, id: string, teamId: string): Promise<ScheduledBotRow | null> {
  const [row] = await executor.query<ScheduledBotRow>('select * from scheduled_bots where id = $1 and team_id = $2', [
    id,
    teamId,
  ]);
  return row ?? null;
}

export async function markCancelled(transaction: Executor, id: string, at: Date): Promise<void> {
  await transaction.query(
    `update scheduled_bots set state = 'cancelled', cancelled_at = $2, updated_at = $2 where id = $1`,
    [id, at],
  );
}

export interface DueBotRow extends ScheduledBotRow {
  /** Fields of its sealed secrets. */
  readonly secret_fields: string[];
}

export interface DueClaim {
  /** Join time of the latest bots to claim. */
  readonly until: Date;
  readonly limit: number;
  /** Claims this bot only. */
  readonly id?: string;
  /** Bots with a stored login, or those without one; absent: both. */
  readonly withLogin?: boolean;
  /** Bots that wait for the next round. */
  readonly except?: readonly string[];
}

/** Condition and order of due rows. Parameters: `until`, limit, id, `withLogin`, `except`. */
export const dueRowsSql = `state = 'scheduled' and spawned_at is null and join_at <= $1 and ($3::uuid is null or id = $3)
  and ($4::boolean is null or $4 = (jsonb_typeof(request->'meet_config') is not distinct from 'object'
    or jsonb_typeof(request->'teams_config') is not distinct from 'object'))
  and id <> all($5::uuid[]) order by join_at limit $2`;

export function dueParameters({ until, limit, id, withLogin, except }: DueClaim): unknown[] {
  return [until, limit, id ?? null, withLogin ?? null, except ?? []];
}

/** Scheduled bots that are due, earliest first, locked; those locked by another instance are skipped. */
export async function claimDue(transaction: Executor, claim: DueClaim): Promise<DueBotRow[]> {
  return transaction.query<DueBotRow>(
    `select *, array(select field from bot_secrets where bot_id = scheduled_bots.id) as secret_fields
     from scheduled_bots where ${dueRowsSql} for update skip locked`,
    dueParameters(claim),
  );
}

export async function markSpawned(transaction: Executor, ids: readonly string[], at: Date): Promise<void> {
  await transaction.query('update scheduled_bots set spawned_at = $2 where id = any($1::uuid[])', [ids, at]);
}
