import type { Executor } from '@rapporteur/database';
import { rewrapRows } from '@rapporteur/secret-box';
import type { Rewrapped, SecretBox } from '@rapporteur/secret-box';
import type { BotSecretRow } from '../schema/entities.ts';

const pageRows = 500;

/**
 * Wraps every secret under a former key with the current one, concurrently with reads and writes. Afterwards no former
 * key is needed.
 */
export async function rewrapSecrets(database: Executor, box: SecretBox): Promise<Rewrapped> {
  return await rewrapRows<BotSecretRow, Change>({
    pageAfter: (row) =>
      database.query(
        `select * from bot_secrets where $1::uuid is null or (bot_id, field) > ($1, $2)
         order by bot_id, field limit ${pageRows}`,
        [row?.bot_id ?? null, row?.field ?? null],
      ),
    rewrap: ({ bot_id, field, team_id, sealed }) => {
      if (!box.needsRewrap(sealed)) return null;
      const fresh = box.rewrap(sealed, { teamId: team_id, recordId: bot_id, field });
      return { bot_id, field, before: sealed.toString('base64'), sealed: fresh.toString('base64') };
    },
    save: (changes) => saveAll(database, changes),
    // Counted by the caller.
    onUnreadable: () => undefined,
  });
}

interface Change {
  readonly bot_id: string;
  readonly field: string;
  /** Base64; replaced only if unchanged since it was read. */
  readonly before: string;
  readonly sealed: string;
}

async function saveAll(database: Executor, changes: readonly Change[]): Promise<number> {
  const saved = await database.query(
    `update bot_secrets secret set sealed = decode(change.sealed, 'base64')
     from jsonb_to_recordset($1::jsonb) as change(bot_id uuid, field text, before text, sealed text)
     where secret.bot_id = change.bot_id and secret.field = change.field and secret.sealed = decode(change.before, 'base64')
     returning 1`,
    [JSON.stringify(changes)],
  );
  return saved.length;
}
