import { fail } from '@rapporteur/failures';
import { readInput } from '@rapporteur/service-runtime';
import type { Database } from '@rapporteur/database';
import type { CreateBotBody } from '../schema/create-bot-body.ts';
import { prepareBot } from '../admission/prepare-bot.ts';
import type { PreparedBot } from '../admission/prepare-bot.ts';
import type { ScheduledBotRow } from '../schema/entities.ts';
import { forgetSecrets, saveSecrets, sealSecrets } from '../credentials/bot-secrets.store.ts';
import { fieldOfSecret } from '../credentials/split-secrets.ts';
import type { SecretField } from '../credentials/split-secrets.ts';
import { findCredentialRefusal } from '../credentials/credential-refusal.ts';
import { refuseOwnKeys } from '../credentials/own-keys.ts';
import { refuseLongRetention } from '../credentials/own-retention.ts';
import { readJoinAt, scheduleBotBody } from './schedule-bot.ts';
import type { ScheduleDependencies } from './schedule-bot.ts';
import { findScheduled, lockScheduled, updateScheduled, markCancelled } from './scheduled.store.ts';

const lockedBeforeMs = 4 * 60_000;

/**
 * Changes a scheduled bot: a given field replaces the former one as a whole, with defaults for its absent members, and
 * the result is validated like a new bot. Throws BOT_NOT_FOUND, BOT_STATUS and what scheduling throws.
 */
export async function changeScheduled(
  dependencies: ScheduleDependencies,
  { botId, teamId }: { readonly botId: string; readonly teamId: string },
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const at = new Date(dependencies.now());
  if ('alpha_config' in change) {
    // Requested before the transaction: no lock or connection may be held during a request to another service. The
    // credential is part of the change only, so a concurrent change of the row does not affect the result.
    const { body } = mergeChange(dependencies, await findScheduled(dependencies.database, botId, teamId), change, at);
    const unusable = await findCredentialRefusal(dependencies.zoom, teamId, body, 'later');
    if (unusable !== null) throw unusable;
  }
  await dependencies.database.transaction(async (transaction) => {
    const row = await lockScheduled(transaction, botId, teamId);
    const { body, prepared, joinAt } = mergeChange(dependencies, row, change, at);
    await refuseOwnKeys(transaction, teamId, prepared.secrets);
    if ('retention_hours' in change) await refuseLongRetention(transaction, teamId, body.retention_hours);
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

/** The bot after the change. Throws when the change is invalid. */
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

/** The stored request contains no secrets: fields that are not replaced keep theirs. */
function replacedSecrets(change: Readonly<Record<string, unknown>>): SecretField[] {
  return (Object.keys(fieldOfSecret) as SecretField[]).filter((field) => fieldOfSecret[field] in change);
}

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
