import { randomUUID } from 'node:crypto';
import { insertRow } from '@rapporteur/database';
import type { Executor } from '@rapporteur/database';
import { botConfigs } from '../schema/entities.ts';
import type { BotConfigRow } from '../schema/entities.ts';
import type { Sealing } from '../sealing.ts';

export type BotConfig = Record<string, unknown>;

/** Stores a bot's configuration sealed: it may contain keys and tokens. Returns its id. */
export async function insertBotConfig(
  executor: Executor,
  sealing: Sealing,
  { teamId, body, at }: { readonly teamId: string; readonly body: BotConfig; readonly at: Date },
): Promise<string> {
  const configId = randomUUID();
  const sealed = sealing.sealConfig({ teamId, configId }, body);
  await insertRow(executor, botConfigs, { config_id: configId, team_id: teamId, sealed, created_at: at });
  return configId;
}

/** Decrypted configurations by id. */
export async function readBotConfigs(
  executor: Executor,
  sealing: Sealing,
  configIds: readonly string[],
): Promise<Map<string, BotConfig>> {
  if (configIds.length === 0) return new Map();
  const rows = await executor.query<BotConfigRow>('select * from bot_configs where config_id = any($1::uuid[])', [
    [...new Set(configIds)],
  ]);
  return new Map(rows.map((row) => [row.config_id, sealing.openConfig(row)]));
}

/** Deletes unreferenced configurations. */
export async function removeUnusedConfigs(executor: Executor, before: Date): Promise<void> {
  await executor.query(
    `delete from bot_configs config where config.created_at < $1
       and not exists (select 1 from series where bot_config_id = config.config_id)
       and not exists (select 1 from events where bot_config_id = config.config_id)
       and not exists (select 1 from rules where bot_config_id = config.config_id)
       and not exists (select 1 from wanted_bots bot where bot.config_id = config.config_id and bot.state = 'wanted')`,
    [before],
  );
}
