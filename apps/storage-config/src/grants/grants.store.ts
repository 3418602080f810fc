import type { UploadGrantRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import type { Grant } from './grant-token.ts';

/** The fencing numbers of bots. */
export interface Grants {
  /** Notes a newer runner. Throws GRANT_REJECTED when an even newer one is known already. */
  open(request: UploadGrantRequest): Promise<void>;
  /** Throws GRANT_REJECTED when a newer runner took over. */
  assertCurrent(grant: Grant): Promise<void>;
  /** Runs `publish` while no newer runner can take over; throws GRANT_REJECTED instead when one has. */
  whileCurrent(grant: Grant, publish: () => Promise<void>): Promise<void>;
}

export function createGrants(database: Database): Grants {
  const assertNewest = (rows: readonly { fencing: number }[], grant: Grant): void => {
    const newest = rows[0]?.fencing;
    if (newest === undefined || newest !== grant.fencing) {
      throw fail('GRANT_REJECTED', { message: 'A newer runner took over this bot; this one may write nothing more.' });
    }
  };
  return {
    open: async ({ botId, teamId, fencing }) => {
      const rows = await database.query<{ fencing: number }>(
        `insert into bot_storage (bot_id, team_id, fencing) values ($1, $2, $3)
         on conflict (bot_id) do update set fencing = greatest(bot_storage.fencing, excluded.fencing), updated_at = now()
         returning fencing`,
        [botId, teamId, fencing],
      );
      assertNewest(rows, { botId, fencing });
    },
    assertCurrent: async (grant) => {
      assertNewest(await database.query('select fencing from bot_storage where bot_id = $1', [grant.botId]), grant);
    },
    whileCurrent: (grant, publish) =>
      database.transaction(async (transaction) => {
        // The share lock makes a newer grant wait for this one write, and this write fail once a newer grant exists.
        assertNewest(await transaction.query('select fencing from bot_storage where bot_id = $1 for share', [grant.botId]), grant);
        await publish();
      }),
  };
}
