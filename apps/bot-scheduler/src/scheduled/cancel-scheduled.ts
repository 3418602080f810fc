import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { forgetSecrets } from '../credentials/bot-secrets.store.ts';
import { lockScheduled, markCancelled } from './scheduled.store.ts';

/** unknown: the team has no scheduled bot with this id. running: its bot exists and must be requested to leave. */
type Cancellation = 'cancelled' | 'running' | 'unknown';

/** Cancels a scheduled bot that has not run. Throws BOT_STATUS for one that is cancelled or over. */
export async function cancelScheduled(
  { database, now }: { readonly database: Database; readonly now: () => number },
  botId: string,
  teamId: string,
): Promise<Cancellation> {
  return database.transaction<Cancellation>(async (transaction) => {
    const row = await lockScheduled(transaction, botId, teamId);
    if (row === null) return 'unknown';
    if (row.state !== 'scheduled') {
      throw fail('BOT_STATUS', { message: `Bot ${botId} is ${row.state}; it cannot be cancelled in this state.` });
    }
    if (row.spawned_at !== null) return 'running';
    await markCancelled(transaction, botId, new Date(now()));
    await forgetSecrets(transaction, botId);
    return 'cancelled';
  });
}
