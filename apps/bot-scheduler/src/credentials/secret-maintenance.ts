import type { Executor } from '@rapporteur/database';
import { rewrapRows } from '@rapporteur/secret-box';
import type { SecretBox, Rewrapped } from '@rapporteur/secret-box';
import type { BotSecretRow } from '../schema/entities.ts';
import type { SecretField } from './split-secrets.ts';
import type { Context } from '../schema/context.ts';

export interface SecretMaintenanceDependencies extends Pick<Context, 'box' | 'logger' | 'now'> {
  readonly database: Executor;
  readonly settings: SecretMaintenanceSettings;
}

export interface SecretMaintenanceSettings {
  /** False when no former key is configured: nothing is rewrapped. */
  readonly rewrap: boolean;
  /** How long after a bot's end its legacy webhooks may still be sent: delivery's retention of messages. */
  readonly legacyKeyRetentionDays: number;
}

/** One round of maintenance: deletes secrets that no bot needs and rewraps those under a former key. */
export function createSecretMaintenance(dependencies: SecretMaintenanceDependencies): () => Promise<void> {
  const { database, box, logger, now, settings } = dependencies;
  let rewrapNeeded = settings.rewrap;
  return async () => {
    await forgetUsedSecrets(database, new Date(now()), settings.legacyKeyRetentionDays);
    if (!rewrapNeeded) return;
    const { rewrapped, unreadable } = await rewrapSecrets(database, box);
    if (unreadable > 0) {
      logger.error(
        { rewrapped, unreadable },
        `${unreadable} stored secrets open with no configured key. Add the key they were sealed with to RAPPORTEUR_FORMER_SECRET_KEYS.`,
      );
      return;
    }
    // A second pass without a rewrap proves that no other instance sealed with the former key meanwhile.
    rewrapNeeded = rewrapped > 0;
    if (!rewrapNeeded)
      logger.info({}, 'No stored secret needs a former key: RAPPORTEUR_FORMER_SECRET_KEYS can be emptied.');
  };
}

/** Used once to join, or while the bot streams. */
const goneWithTheBot: readonly SecretField[] = ['obf_token', 'alpha_sdk_id', 'alpha_sdk_pwd', 'streaming_api_key'];

async function forgetUsedSecrets(database: Executor, at: Date, legacyKeyRetentionDays: number): Promise<void> {
  await database.query('delete from bot_secrets where forget_at <= $1', [at]);
  const legacyEndedBefore = new Date(at.getTime() - legacyKeyRetentionDays * 24 * 3_600_000);
  await database.query(
    // Joined from the secrets to their bots: nearly all bots have none of these left.
    `delete from bot_secrets where (bot_id, field) in (
       select secret.bot_id, secret.field from bot_secrets secret
         cross join lateral (select ended_at from bots where id = secret.bot_id offset 0) bot
        where secret.field = any($1 || array['legacy_api_key']) and bot.ended_at is not null
          and (secret.field <> 'legacy_api_key' or bot.ended_at < $2))`,
    [goneWithTheBot, legacyEndedBefore],
  );
}

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
