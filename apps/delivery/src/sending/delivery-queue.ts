import type { Database } from '@rapporteur/database';
import type { Logger } from '@rapporteur/service-runtime';
import { testEvent } from '../event-types.ts';
import type { CallbackKind } from '../schema/entities.ts';
import type { AttemptQueue } from './attempt-worker.ts';
import { attemptRecorder, claimDue, releaseLease } from './deliveries.store.ts';
import type { ClaimedDelivery } from './deliveries.store.ts';
import { nextStep, attemptPausesMs } from './schedule.ts';
import type { AttemptResult, NextStep } from './schedule.ts';

const disabledSentences = {
  gone: 'A webhook endpoint responded with 410 and was disabled. Its messages are held until it is enabled.',
  failing: 'A webhook endpoint failed for 5 days and was disabled. Its messages are held until it is enabled.',
  by_request: 'A webhook endpoint was disabled on request.',
} as const;

/** Deliveries to endpoints and to the addresses of bots and calendars, as work for `attemptWorker`. */
export function deliveryQueue(database: Database, logger: Logger): AttemptQueue<ClaimedDelivery> {
  const factsOf = ({ teamId, botId, endpointId, messageId, event, kind }: ClaimedDelivery) => ({
    teamId,
    botId,
    endpointId,
    messageId,
    event,
    to: kind ?? 'endpoint',
  });
  const record = attemptRecorder(database);
  return {
    claim: (limits) => claimDue(database, limits),
    stepAfter: ({ kind, event, tries }, result, spread) => {
      if (kind !== null) return nextCallbackStep(kind, result, tries + 1, spread);
      if (event === testEvent) return { state: result.succeeded ? 'succeeded' : 'failed' };
      return nextStep(result, tries + 1, spread);
    },
    record: async (delivery, result, outcome) => {
      const recorded = await record({ delivery, result, outcome });
      if (recorded !== null && recorded.disabled !== null)
        logger.warn(
          { ...factsOf(delivery), disabledReason: recorded.disabled, status: result.statusCode },
          disabledSentences[recorded.disabled],
        );
      return recorded;
    },
    release: (delivery, dueMs) => releaseLease(database, delivery, dueMs),
    partitionOf: ({ partition }) => partition,
    traceOf: ({ trace }) => trace,
    factsOf,
  };
}

const quickPausesMs: readonly number[] = [0, 1_000, 5_000, 15_000];
/** Pauses before the attempts of one callback: the quick ones, then those of webhooks from 5 minutes on. */
export const callbackPausesMs: readonly number[] = [...quickPausesMs, ...attemptPausesMs.filter((ms) => ms >= 60_000)];

/**
 * The next step of a delivery to an address of an owner after an attempt. A callback is repeated only without a
 * response or after a 5xx; the address of a legacy bot gets the schedule of webhooks.
 * @param tries attempts so far, this one included.
 * @param spread a random number from 0 to 1.
 */
export function nextCallbackStep(kind: CallbackKind, result: AttemptResult, tries: number, spread: number): NextStep {
  if (result.succeeded) return { state: 'succeeded' };
  if (result.permanent === true) return { state: 'failed' };
  // There is no endpoint that 410 could disable: the address is removed permanently.
  if (kind === 'legacy') return result.statusCode === 410 ? { state: 'failed' } : nextStep(result, tries, spread);
  const again = result.statusCode === null || result.statusCode >= 500;
  const pauseMs = callbackPausesMs[tries];
  if (!again || pauseMs === undefined) return { state: 'failed' };
  const spreadMs = tries < quickPausesMs.length ? pauseMs : Math.round(pauseMs * (0.8 + 0.4 * spread));
  return { state: 'pending', pauseMs: spreadMs };
}
