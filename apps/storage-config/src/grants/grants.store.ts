import type { UploadGrantRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { Clock } from '@rapporteur/service-runtime';
import type { Grant } from './grant-token.ts';
import { createTurns } from './turns.ts';

/** The fencing numbers of bots. */
export interface Grants {
  /** Notes a newer runner. Throws GRANT_REJECTED when an even newer one is known already, or the bot is another team's. */
  open(request: UploadGrantRequest): Promise<void>;
  /** Throws GRANT_REJECTED when a newer runner took over. */
  assertCurrent(grant: Grant): Promise<void>;
  /**
   * Runs `publish` while no newer runner can take over; throws GRANT_REJECTED instead when one has, UNAVAILABLE when too many
   * others publish already.
   */
  whileCurrent(grant: Grant, publish: () => Promise<void>): Promise<void>;
}

const readSql = 'select fencing, deleted_at is not null as deleted from bot_storage where bot_id = $1';

interface BotRow {
  readonly fencing: number;
  readonly deleted: boolean;
}

/** Each of those that wait may hold a body of 8 MiB. */
const waitingAtMost = 100;
/** A runner hears the answer: it gives the smallest of its uploads 15 s (bot-runner, grant-store.ts). */
const waitAtMostMs = 10_000;

export interface GrantsParts {
  readonly database: Database;
  /** Connections of the database at most. */
  readonly databasePoolSize: number;
  readonly clock: Clock;
}

/** Who publishes keeps a connection for as long as the object store takes: a quarter of them is kept for everything else. */
function publishingAtOnce(databasePoolSize: number): number {
  return Math.max(1, Math.floor(databasePoolSize * 0.75));
}

export function createGrants({ database, databasePoolSize, clock }: GrantsParts): Grants {
  const inTurn = createTurns(clock, { atOnce: publishingAtOnce(databasePoolSize), waitingAtMost, waitAtMostMs });
  const assertNewest = (rows: readonly BotRow[], grant: Grant): void => {
    const [row] = rows;
    if (row?.deleted === true) {
      throw fail('GRANT_REJECTED', {
        message: 'The data of this bot was deleted; nothing more may be written for it.',
      });
    }
    if (row?.fencing !== grant.fencing) {
      throw fail('GRANT_REJECTED', { message: 'A newer runner took over this bot; this one may write nothing more.' });
    }
  };
  return {
    open: async ({ botId, teamId, fencing }) => {
      const rows = await database.query<BotRow & { team_id: string }>(
        `insert into bot_storage (bot_id, team_id, fencing) values ($1, $2, $3)
         on conflict (bot_id) do update set updated_at = now(), fencing =
           case when bot_storage.team_id = excluded.team_id
             then greatest(bot_storage.fencing, excluded.fencing) else bot_storage.fencing end
         returning fencing, team_id, deleted_at is not null as deleted`,
        [botId, teamId, fencing],
      );
      if (rows[0]?.team_id !== teamId) throw fail('GRANT_REJECTED', { message: 'This bot belongs to another team.' });
      assertNewest(rows, { botId, fencing });
    },
    assertCurrent: async (grant) => {
      assertNewest(await database.query(readSql, [grant.botId]), grant);
    },
    whileCurrent: (grant, publish) =>
      inTurn(() =>
        database.transaction(async (transaction) => {
          // The share lock makes a newer grant wait for this one write, and this write fail once a newer grant exists.
          assertNewest(await transaction.query(`${readSql} for share`, [grant.botId]), grant);
          await publish();
        }),
      ),
  };
}
