import type { Executor } from '@rapporteur/database';
import type { SecretBox } from '@rapporteur/secret-box';
import type { BotSecrets, SecretField } from './split-secrets.ts';

/** Context of a sealed secret; it opens only with the team that it was sealed for. */
export interface SecretPlace {
  readonly teamId: string;
  readonly botId: string;
}

/** One row of bot_secrets as a statement parameter; `sealed` is base64. */
export interface SealedSecret {
  readonly field: string;
  readonly sealed: string;
}

export function sealSecrets(
  box: SecretBox,
  { teamId, botId }: SecretPlace,
  secrets: BotSecrets | Readonly<Record<string, string>>,
): SealedSecret[] {
  return Object.entries(secrets).map(([field, text]) => ({
    field,
    sealed: box.seal(text, { teamId, recordId: botId, field }).toString('base64'),
  }));
}

export interface SecretDependencies {
  readonly database: Executor;
  readonly box: SecretBox;
}

/** The stored secrets of these fields for this bot and team, in plain text. Throws when one cannot be opened. */
export async function readSecrets<Field extends string>(
  { database, box }: SecretDependencies,
  { teamId, botId }: SecretPlace,
  fields: readonly Field[],
): Promise<Partial<Record<Field, string>>> {
  const rows = await database.query<{ field: Field; sealed: Buffer }>(
    'select field, sealed from bot_secrets where bot_id = $1 and field = any($2) and team_id = $3',
    [botId, fields, teamId],
  );
  const texts: Partial<Record<Field, string>> = {};
  for (const { field, sealed } of rows) texts[field] = box.open(sealed, { teamId, recordId: botId, field });
  return texts;
}

/**
 * The secret in plain text, or null when this bot of this team has none in this field. Throws when it cannot be opened.
 */
export async function readSecret(
  dependencies: SecretDependencies,
  place: SecretPlace,
  field: string,
): Promise<string | null> {
  return (await readSecrets(dependencies, place, [field]))[field] ?? null;
}

/** Stores secrets, replacing those of the same fields. */
export async function saveSecrets(
  transaction: Executor,
  { teamId, botId }: SecretPlace,
  secrets: readonly SealedSecret[],
): Promise<void> {
  if (secrets.length === 0) return;
  await transaction.query(
    `insert into bot_secrets (bot_id, field, team_id, sealed)
     select $1, secret.field, $2, decode(secret.sealed, 'base64')
     from jsonb_to_recordset($3::jsonb) as secret(field text, sealed text)
     on conflict (bot_id, field) do update set sealed = excluded.sealed`,
    [botId, teamId, JSON.stringify(secrets)],
  );
}

/** Schedules the deletion of a secret. */
export async function forgetSecretLater(executor: Executor, botId: string, field: string, at: Date): Promise<void> {
  await executor.query('update bot_secrets set forget_at = $3 where bot_id = $1 and field = $2', [botId, field, at]);
}

/** Deletes the secrets of these fields of a bot; all of them without `fields`. */
export async function forgetSecrets(
  executor: Executor,
  botId: string,
  fields: readonly SecretField[] | null = null,
): Promise<void> {
  await executor.query('delete from bot_secrets where bot_id = $1 and ($2::text[] is null or field = any($2))', [
    botId,
    fields,
  ]);
}
