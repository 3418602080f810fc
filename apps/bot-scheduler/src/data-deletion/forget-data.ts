import { botDataDeleted, botProviderDeletionRequested } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { isFinal } from '@rapporteur/bot-lifecycle';
import { forgetScreenshots } from '../lifecycle/screenshots.store.ts';
import { lockBotOfTeam, refuseInStatus } from '../lifecycle/bots.store.ts';
import type { BotPlace } from '../schema/context.ts';
import type { EventSink } from '../schema/context.ts';

export interface ForgetDependencies {
  readonly events: EventSink;
  readonly at: Date;
  /** The provider deletes its copy too, even when the data was deleted before. Default false. */
  readonly deleteFromProvider?: boolean;
}

const keyKeptMs = 24 * 3_600_000;

async function isHeld(transaction: Executor, botId: string): Promise<boolean> {
  return (await transaction.query('select from legal_holds where bot_id = $1', [botId])).length > 0;
}

/**
 * Deletes a bot's recorded data and participants in this transaction: its artifacts are null after the commit. Objects
 * in storage are deleted afterwards (`deleteObjects`). Idempotent. Throws BOT_NOT_FOUND, and BOT_STATUS while the bot
 * is not over.
 */
export async function forgetData(
  transaction: Executor,
  place: BotPlace,
  dependencies: ForgetDependencies,
): Promise<void> {
  const action = 'have its data deleted';
  const bot = await lockBotOfTeam(transaction, place, action);
  if (!isFinal(bot.phase)) throw refuseInStatus(bot.id, bot.status, action);
  if (dependencies.deleteFromProvider === true) {
    await dependencies.events.add(transaction, botProviderDeletionRequested, { botId: bot.id, teamId: bot.team_id });
  }
  if (bot.data_forgotten_at !== null) return;
  if (await isHeld(transaction, bot.id))
    throw fail('BOT_STATUS', { message: `Bot ${bot.id} is under a legal hold; its data is not deleted.` });
  await transaction.query(
    `update bots set artifacts = '[]', participants = '[]', speakers = '[]', failure_evidence = null,
       data_forgotten_at = $2, updated_at = $2
     where id = $1`,
    [bot.id, dependencies.at],
  );
  await transaction.query(
    'insert into object_deletions (bot_id, team_id, requested_at, next_attempt_at) values ($1, $2, $3, $3)',
    [bot.id, bot.team_id, dependencies.at],
  );
  // The transcriber may still need a key to delete a provider's copy.
  await transaction.query(
    `update bot_secrets set forget_at = $2 where bot_id = $1 and field like 'transcription_api_key%'`,
    [bot.id, new Date(dependencies.at.getTime() + keyKeptMs)],
  );
  await forgetScreenshots(transaction, bot.id);
  // Commands contain chat messages.
  await transaction.query('delete from bot_commands where bot_id = $1', [bot.id]);
  await transaction.query('delete from reported_chat where bot_id = $1', [bot.id]);
  // A log may name participants; the cause of the end is kept.
  await transaction.query(`update run_ends set last_log_lines = '[]' where bot_id = $1`, [bot.id]);
  await dependencies.events.add(transaction, botDataDeleted, { botId: bot.id, teamId: bot.team_id });
}
