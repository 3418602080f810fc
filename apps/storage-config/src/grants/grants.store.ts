import type { UploadGrantRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { withDeadline } from '@rapporteur/service-runtime';
import type { Clock } from '@rapporteur/service-runtime';
import type { Grant } from './grant-token.ts';

/** The fencing numbers of bots. */
export interface Grants {
  /**
   * Stores a newer runner. Throws GRANT_REJECTED when an even newer one is stored already, or the bot is another
   * team's. When it resolves, objects that an older runner was publishing through this instance are published or have
   * failed.
   */
  open(request: UploadGrantRequest): Promise<void>;
  /** Throws GRANT_REJECTED when a newer runner exists; within 4 s when it was stored through another instance. */
  assertCurrent(grant: Grant): Promise<void>;
  /**
   * Runs `publish` after the same check, and only while the runner has not released the recording and the bot has not
   * ended. `strict` always reads the database. Holds no connection while `publish` runs. Throws GRANT_REJECTED.
   */
  whileCurrent(grant: Grant, publish: () => Promise<void>, options?: { readonly strict?: boolean }): Promise<void>;
  /**
   * From now on no grant of these bots' runners writes anything, 4 s later through other instances either. Idempotent.
   */
  end(bots: readonly EndedBot[]): Promise<void>;
  /**
   * The bot's row was changed: cached values of it are discarded. Resolves when no publication of it is in progress
   * here.
   */
  forget(botId: string): Promise<void>;
}

const readSql = `
  select fencing, deleted_at is not null as deleted, fragments_released_at is not null as released,
      grants_ended_at is not null as ended
    from bot_storage where bot_id = $1`;

interface BotRow {
  readonly fencing: number;
  readonly deleted: boolean;
}

interface CheckedRow extends BotRow {
  readonly released: boolean;
  readonly ended: boolean;
}

export interface EndedBot {
  readonly botId: string;
  readonly teamId: string;
}

/** How long a number read from the database is cached: a fenced runner has to stop within 5 s. */
const trustMs = 4_000;
const mostTrusted = 20_000;
/** Limit of the wait for publications in progress. */
const publishedWithinMs = 10_000;

export interface GrantsDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

export function createGrants({ database, clock }: GrantsDependencies): Grants {
  const trusted = new Map<string, Omit<CheckedRow, 'deleted'> & { readonly untilMs: number }>();
  const publishing = new Map<string, Set<Promise<void>>>();
  /** Counts changes of any row, so that a value read before a change is not cached after it. */
  let changes = 0;

  const check = async ({ botId, fencing }: Grant, strict: boolean): Promise<Pick<CheckedRow, 'released' | 'ended'>> => {
    const known = trusted.get(botId);
    if (!strict && known?.fencing === fencing && clock.monotonic() < known.untilMs) return known;
    const [changesBefore, untilMs] = [changes, clock.monotonic() + trustMs];
    const rows = await database.query<CheckedRow>(readSql, [botId]);
    assertNewest(rows, fencing);
    const read = { released: rows[0]?.released === true, ended: rows[0]?.ended === true };
    if (changes !== changesBefore) return read;
    if (trusted.size >= mostTrusted) trusted.clear();
    trusted.set(botId, { ...read, fencing, untilMs });
    return read;
  };

  const forget = async (botId: string): Promise<void> => {
    changes += 1;
    trusted.delete(botId);
    const published = Promise.all(publishing.get(botId) ?? new Set<Promise<void>>());
    await withDeadline(published, publishedWithinMs, 'Publishing').catch(() => undefined);
  };

  return {
    forget,
    open: async (request) => {
      await noteRunner(database, request);
      await forget(request.botId);
    },
    end: async (bots) => {
      await markEnded(database, bots);
      await Promise.all(bots.map(({ botId }) => forget(botId)));
    },
    assertCurrent: async (grant) => void (await check(grant, false)),
    whileCurrent: async (grant, publish, { strict = false } = {}) => {
      const done = Promise.withResolvers<void>();
      const ofBot = publishing.get(grant.botId) ?? new Set();
      publishing.set(grant.botId, ofBot.add(done.promise));
      try {
        const { released, ended } = await check(grant, strict);
        if ((released || ended) && grant.outlastsRelease !== true)
          throw fail('GRANT_REJECTED', {
            message: `${released ? 'The recording of this bot is complete' : 'This bot has ended'}; nothing more may be written.`,
          });
        await publish();
      } finally {
        done.resolve();
        ofBot.delete(done.promise);
        if (ofBot.size === 0) publishing.delete(grant.botId);
      }
    },
  };
}

async function noteRunner(database: Database, { botId, teamId, fencing }: UploadGrantRequest): Promise<void> {
  const rows = await database.query<BotRow & { team_id: string }>(
    `insert into bot_storage (bot_id, team_id, fencing, storage_config_id) values ($1, $2, $3,
       (select storage_config_id from storage_configs where team_id = $2 and replaced_at is null))
     on conflict (bot_id) do update set updated_at = now(), fencing =
       case when bot_storage.team_id = excluded.team_id
         then greatest(bot_storage.fencing, excluded.fencing) else bot_storage.fencing end,
       -- A new attempt records on: what its predecessor released is in use again.
       fragments_released_at = case when bot_storage.team_id = excluded.team_id and excluded.fencing > bot_storage.fencing
         then null else bot_storage.fragments_released_at end,
       grants_ended_at = case when bot_storage.team_id = excluded.team_id and excluded.fencing > bot_storage.fencing
         then null else bot_storage.grants_ended_at end
     returning fencing, team_id, deleted_at is not null as deleted`,
    [botId, teamId, fencing],
  );
  if (rows[0]?.team_id !== teamId) throw fail('GRANT_REJECTED', { message: 'This bot belongs to another team.' });
  assertNewest(rows, fencing);
}

async function markEnded(database: Database, bots: readonly EndedBot[]): Promise<void> {
  await database.query(
    `update bot_storage set grants_ended_at = now(), updated_at = now()
       from unnest($1::uuid[], $2::uuid[]) as ended(bot_id, team_id)
      where bot_storage.bot_id = ended.bot_id and bot_storage.team_id = ended.team_id and grants_ended_at is null`,
    [bots.map(({ botId }) => botId), bots.map(({ teamId }) => teamId)],
  );
}

function assertNewest([row]: readonly BotRow[], fencing: number): void {
  if (row?.deleted === true)
    throw fail('GRANT_REJECTED', { message: 'The data of this bot was deleted; nothing more may be written for it.' });
  if (row?.fencing !== fencing)
    throw fail('GRANT_REJECTED', { message: 'A newer runner took over this bot; this one may write nothing more.' });
}
