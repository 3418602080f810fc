import { fail } from '@rapporteur/failures';
import { readInput } from '@rapporteur/service-runtime';
import type { CreateBotBody } from '../admission/create-bot-body.ts';
import { prepareBot } from '../admission/prepare-bot.ts';
import type { PreparedBot } from '../admission/prepare-bot.ts';
import type { ScheduledBotRow } from '../schema/rows.ts';
import { forgetSecrets, saveSecrets, sealSecrets } from '../secrets/bot-secrets.store.ts';
import { fieldOfSecret } from '../secrets/split-secrets.ts';
import type { SecretField } from '../secrets/split-secrets.ts';
import { findCredentialRefusal } from '../stored-credentials/credential-refusal.ts';
import { readJoinAt } from './join-at.ts';
import { scheduleBotBody } from './schedule-bot.ts';
import type { ScheduleDependencies } from './schedule-bot.ts';
import { findScheduled, lockScheduled, updateScheduled } from './scheduled.store.ts';
import { refuseOwnKeys } from '../teams/own-keys.ts';

const lockedBeforeMs = 4 * 60_000;

/**
 * Changes a scheduled bot: a field that is given replaces the former one as a whole, with defaults for what is left out
 * inside it, and the result is checked like a new one. Throws BOT_NOT_FOUND, BOT_STATUS and what scheduling throws.
 */
export async function changeScheduled(
  dependencies: ScheduleDependencies,
  { botId, teamId }: { readonly botId: string; readonly teamId: string },
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const at = new Date(dependencies.now());
  if ('alpha_config' in change) {
    // Asked before the transaction: another service answers, and neither a lock nor a connection may wait for it. What is
    // asked is in the change alone, so it is the same for the row as it will be.
    const { body } = mergeChange(dependencies, await findScheduled(dependencies.database, botId, teamId), change, at);
    const unusable = await findCredentialRefusal(dependencies.zoom, teamId, body, 'later');
    if (unusable !== null) throw unusable;
  }
  await dependencies.database.transaction(async (transaction) => {
    const row = await lockScheduled(transaction, botId, teamId);
    const { prepared, joinAt } = mergeChange(dependencies, row, change, at);
    await refuseOwnKeys(transaction, teamId, prepared.secrets);
    await updateScheduled(transaction, botId, { ...prepared, joinAt }, at);
    await forgetSecrets(transaction, botId, replacedSecrets(change));
    await saveSecrets(
      transaction,
      { teamId, botId },
      sealSecrets(dependencies.box, { teamId, botId }, prepared.secrets),
    );
  });
}

interface MergedChange {
  readonly body: CreateBotBody;
  readonly prepared: PreparedBot;
  readonly joinAt: Date;
}

/** The bot as it would be after the change. Throws what stands against that. */
function mergeChange(
  dependencies: ScheduleDependencies,
  row: ScheduledBotRow | null,
  change: Readonly<Record<string, unknown>>,
  at: Date,
): MergedChange {
  if (row === null) throw fail('BOT_NOT_FOUND');
  refuseTooLate(row, at);
  const merged = { ...row.request, join_at: row.join_at.toISOString(), ...change };
  const { join_at, ...body } = readInput(scheduleBotBody, merged);
  const prepared = prepareBot(dependencies, body);
  return { body, prepared, joinAt: 'join_at' in change ? readJoinAt(join_at, at.getTime()) : row.join_at };
}

function refuseTooLate({ id, state, spawned_at, join_at }: ScheduledBotRow, at: Date): void {
  if (state !== 'scheduled' || spawned_at !== null) {
    const now = state === 'scheduled' ? 'already on its way' : state;
    throw fail('BOT_STATUS', { message: `Bot ${id} is ${now}; it cannot be changed in this state.` });
  }
  if (at.getTime() > join_at.getTime() - lockedBeforeMs) {
    throw fail('BOT_STATUS', {
      message: `Bot ${id} joins in less than 4 minutes and can no longer be changed. It can still be cancelled.`,
    });
  }
}

/** The request that was stored holds no secrets: whatever is not replaced keeps its own. */
function replacedSecrets(change: Readonly<Record<string, unknown>>): SecretField[] {
  return (Object.keys(fieldOfSecret) as SecretField[]).filter((field) => fieldOfSecret[field] in change);
}
