import { delayReasonOf, isFinal } from '@rapporteur/bot-lifecycle';
import type { DelayReason } from '@rapporteur/bot-lifecycle';
import { lockBot } from '../lifecycle/bots.store.ts';
import { moveBot } from '../lifecycle/move-bot.ts';
import { expectedPickupMs, readStartConditions } from './capacity.ts';
import type { StartConditions } from './capacity.ts';
import { claimOrderSql } from './runs.store.ts';
import type { BotLauncher, ObservedRun } from './launcher.ts';
import type { Context } from '../schema/context.ts';

export interface DelayDependencies extends Pick<Context, 'database' | 'events' | 'clock' | 'logger'> {
  readonly launcher: Pick<BotLauncher, 'observe' | 'pace' | 'refusal'>;
  readonly settings: { readonly maxConcurrentBots: number; readonly pickupDelayedAfterMs: number };
}

interface DelayedBot {
  readonly id: string;
  /** Bots that are launched before it; null: it was launched, and its runner has not started. */
  readonly bots_before: number | null;
}

/** Reports pickup_delayed once for every bot that waits too long for a runner, with reason and estimate if known. */
export async function reportDelays(dependencies: DelayDependencies): Promise<void> {
  const { database, events, clock, logger, settings } = dependencies;
  const at = new Date(clock.now());
  const before = new Date(at.getTime() - settings.pickupDelayedAfterMs);
  const delayed = await database.query<DelayedBot>(delayedSql, [before, at]);
  if (delayed.length === 0) return;
  const conditions = await readStartConditions({ ...dependencies, maxConcurrentBots: settings.maxConcurrentBots });
  for (const bot of delayed) {
    const { id, bots_before } = bot;
    const pickupMs = bots_before === null ? null : expectedPickupMs(bots_before, conditions);
    const expectedPickupAt = pickupMs === null ? {} : { expectedPickupAt: isoOf(at.getTime() + pickupMs) };
    const reason = reasonOf(bot, conditions);
    const delayReason = reason === null ? {} : { delayReason: reason };
    try {
      await database.transaction(async (transaction) => {
        const bot = await lockBot(transaction, id);
        if (bot === null || isFinal(bot.phase)) return;
        await moveBot(
          { transaction, events },
          bot,
          { kind: 'pickup-late', ...expectedPickupAt, ...delayReason },
          { at },
        );
      });
    } catch (error) {
      logger.error({ err: error, botId: id }, 'A delay could not be reported; the next round tries it again.');
    }
  }
  events.notify();
}

/**
 * For a launched bot, its own obstacle, or that nothing is known of it; for a queued one, the reason why launches are
 * stopped.
 */
function reasonOf(
  { id, bots_before: before }: DelayedBot,
  { free, obstacles, pending }: StartConditions & { readonly pending: readonly ObservedRun[] },
): DelayReason | null {
  const own = pending.find(({ botId }) => botId === id)?.obstacle;
  if (own !== undefined) return delayReasonOf(own.cause);
  if (before !== null && before >= free) return 'at_capacity';
  const stopping = obstacles.find(({ cause }) => before !== null || cause === 'api-unavailable');
  return stopping === undefined ? null : delayReasonOf(stopping.cause);
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** The queue is counted only when a bot is delayed. */
const delayedSql = `
  with delayed as materialized (
    select id, due_at from bots where phase = 'queued' and status = 'queued' and due_at < $1
      and (join_at is null or join_at < $1) order by due_at limit 100)
  select delayed.id, queue.bots_before from delayed
  left join (
    select id, (row_number() over (order by ${claimOrderSql}) - 1)::int as bots_before
    from bots where wants_run is not null and due_at <= $2 and exists (select from delayed)) queue using (id)
  order by delayed.due_at`;
