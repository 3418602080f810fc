import { z } from 'zod';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { invalid, parseDateTime } from '@rapporteur/service-runtime';
import { createBotBody } from '../schema/create-bot-body.ts';
import { prepareBot } from '../admission/prepare-bot.ts';
import type { PrepareDependencies } from '../admission/prepare-bot.ts';
import type { NewBotPlace } from '../lifecycle/bots.store.ts';
import { findCredentialRefusal } from '../credentials/credential-refusal.ts';
import { saveSecrets, sealSecrets } from '../credentials/bot-secrets.store.ts';
import { refuseOwnKeys } from '../credentials/own-keys.ts';
import { refuseLongRetention } from '../credentials/own-retention.ts';
import type { Context } from '../schema/context.ts';
import { insertScheduled } from './scheduled.store.ts';

const field = 'join_at';
const earliestMs = 60_000;
/** Allowance for the time that a valid request takes to arrive. */
const inTransitMs = 5_000;
const latestMs = 90 * 24 * 3_600_000;

/** Parses a join time of the v2 API: about a minute to 90 days ahead. Throws VALIDATION that names the field. */
export function readJoinAt(text: string, nowMs: number): Date {
  const joinAt = readTime(text, nowMs);
  if (joinAt.getTime() < nowMs + earliestMs - inTransitMs) {
    throw invalid(field, 'It must be at least 1 minute ahead. To send a bot now, create it without a schedule.');
  }
  return joinAt;
}

/** Parses a start time of the legacy API, which has no minimum notice: a past time means now. */
function readLegacyStart(text: string, nowMs: number): Date {
  return new Date(Math.max(nowMs, readTime(text, nowMs).getTime()));
}

function readTime(text: string, nowMs: number): Date {
  const parsed = parseDateTime(text);
  if (parsed === null) throw invalid(field, 'It is not a time. Send ISO 8601 with a time zone.');
  const time = new Date(parsed);
  if (time.getTime() > nowMs + latestMs) throw invalid(field, 'It must be at most 90 days ahead.');
  return time;
}

export type ScheduleDependencies = PrepareDependencies & Pick<Context, 'database' | 'box' | 'now'>;

export const scheduleBotBody = createBotBody.extend({ join_at: z.string() });
export type ScheduleBotBody = z.infer<typeof scheduleBotBody>;

/**
 * Stores a bot that joins later, or throws a failure. Daily cap, tokens and duplicates are checked when the bot is due.
 */
export async function scheduleBot(
  dependencies: ScheduleDependencies,
  { botId, teamId, apiKeyId }: NewBotPlace,
  body: ScheduleBotBody,
): Promise<{ botId: string; anonymousFallback: boolean }> {
  const { join_at, ...bot } = body;
  const at = new Date(dependencies.now());
  const prepared = prepareBot(dependencies, bot);
  const joinAt = (bot.legacy === null ? readJoinAt : readLegacyStart)(join_at, at.getTime());
  const unusable = await findCredentialRefusal(dependencies.zoom, teamId, bot, 'later');
  if (unusable !== null) throw unusable;
  // Also for disabled features: a later change may enable them.
  const sealed = sealSecrets(dependencies.box, { teamId, botId }, prepared.secrets);
  await dependencies.database.transaction(async (transaction) => {
    await refuseUnknownTeam(transaction, teamId);
    await refuseOwnKeys(transaction, teamId, prepared.secrets);
    await refuseLongRetention(transaction, teamId, bot.retention_hours);
    if (await insertScheduled(transaction, { ...prepared, id: botId, teamId, apiKeyId, at, joinAt }))
      await saveSecrets(transaction, { teamId, botId }, sealed);
  });
  return { botId, anonymousFallback: false };
}

async function refuseUnknownTeam(transaction: Pick<Database, 'query'>, teamId: string): Promise<void> {
  const known = await transaction.query('select 1 from team_limits where team_id = $1', [teamId]);
  if (known.length === 0) {
    throw fail('UNAVAILABLE', {
      message: 'This team is not known to the scheduler yet. Try again in a moment.',
      retryAfterSeconds: 1,
    });
  }
}
