import type { Router } from 'express';
import type { Database, Executor } from '@rapporteur/database';
import { invalid, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { fail } from '@rapporteur/failures';
import { botPlaceOf } from '../schema/context.ts';
import type { BotPlace } from '../schema/context.ts';
import { lockBot } from '../lifecycle/bots.store.ts';
import { lockScheduled } from '../scheduled/scheduled.store.ts';

/** The API of a bot's configuration. */
export function updateConfigRoutes(
  auth: InternalAuth,
  dependencies: { readonly database: Database; readonly now: () => number },
): Router {
  return servePublic(auth, {
    updateBotConfig: async ({ body, ...call }) => {
      await updateExtra(dependencies, botPlaceOf(call), body.extra);
      return { data: { message: 'The extra of the bot was changed.' } };
    },
  });
}

type Extra = Readonly<Record<string, unknown>>;

/**
 * Merges members into a bot's `extra`, or removes all of it with null; also for a scheduled bot. Throws BOT_NOT_FOUND,
 * and VALIDATION when the result is too large.
 */
async function updateExtra(
  { database, now }: { readonly database: Database; readonly now: () => number },
  { botId, teamId }: BotPlace,
  change: Extra | null,
): Promise<void> {
  const at = new Date(now());
  await database.transaction(async (transaction) => {
    // The bot first: the end of a bot takes the locks in the same sequence.
    const bot = await lockBot(transaction, botId);
    const scheduled = await lockScheduled(transaction, botId, teamId);
    const own = bot?.team_id === teamId ? bot : null;
    if (own === null && scheduled === null) throw fail('BOT_NOT_FOUND');
    const merged = merge(own === null ? (scheduled?.extra ?? null) : own.extra, change);
    await save(transaction, botId, { extra: merged, at });
  });
}

const largestExtraBytes = 16_384;

function merge(extra: Extra | null, change: Extra | null): Extra | null {
  if (change === null) return null;
  const merged = { ...extra, ...change };
  if (Buffer.byteLength(JSON.stringify(merged)) <= largestExtraBytes) return merged;
  throw invalid(
    'extra',
    'Together with what the bot has, it would be more than 16 KiB as JSON. Remove all of it with null first, or send less.',
  );
}

async function save(
  transaction: Executor,
  botId: string,
  { extra, at }: { readonly extra: Extra | null; readonly at: Date },
): Promise<void> {
  const values = [botId, extra === null ? null : JSON.stringify(extra), at];
  await transaction.query('update bots set extra = $2::jsonb, updated_at = $3 where id = $1', values);
  await transaction.query(
    `update scheduled_bots set extra = $2::jsonb, updated_at = $3,
       request = request || jsonb_build_object('extra', $2::jsonb) where id = $1`,
    values,
  );
}
