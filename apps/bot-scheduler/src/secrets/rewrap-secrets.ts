import type { Executor } from '@rapporteur/database';
import type { SecretBox } from '@rapporteur/secret-box';
import type { BotSecretRow } from '../schema/rows.ts';

const rowsAtOnce = 500;

export interface Rewrapped {
  readonly rewrapped: number;
  /** Neither the current nor a former key opens these. */
  readonly unreadable: number;
}

/**
 * Wraps every secret that a former key still wraps with the current one, while others read and write. Once it has been
 * through, no former key is needed any more.
 */
export async function rewrapSecrets(database: Executor, box: SecretBox, signal?: AbortSignal): Promise<Rewrapped> {
  let after: Pick<BotSecretRow, 'bot_id' | 'field'> = { bot_id: '00000000-0000-0000-0000-000000000000', field: '' };
  let [rewrapped, unreadable] = [0, 0];
  for (;;) {
    signal?.throwIfAborted();
    const rows = await database.query<BotSecretRow>(
      `select * from bot_secrets where (bot_id, field) > ($1, $2) order by bot_id, field limit $3`,
      [after.bot_id, after.field, rowsAtOnce],
    );
    const attempts = rows.map((row) => rewrapOne(box, row));
    const changes = attempts.filter((attempt) => typeof attempt === 'object');
    unreadable += attempts.filter((attempt) => attempt === 'unreadable').length;
    if (changes.length > 0) rewrapped += await saveAll(database, changes);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return { rewrapped, unreadable };
    after = last;
  }
}

interface Change {
  readonly bot_id: string;
  readonly field: string;
  /** Base64; replaced only while it is still what was read. */
  readonly before: string;
  readonly sealed: string;
}

function rewrapOne(box: SecretBox, row: BotSecretRow): Change | 'current' | 'unreadable' {
  const { bot_id, field, team_id, sealed } = row;
  try {
    if (!box.needsRewrap(sealed)) return 'current';
    const fresh = box.rewrap(sealed, { teamId: team_id, recordId: bot_id, field });
    return { bot_id, field, before: sealed.toString('base64'), sealed: fresh.toString('base64') };
  } catch {
    return 'unreadable';
  }
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
