import type { Database } from '@rapporteur/database';
import type { Logger } from '@rapporteur/service-runtime';
import { testEvent } from '../event-types.ts';
import type { AttemptQueue } from './attempt-worker.ts';
import { nextCallbackStep } from './callback-schedule.ts';
import { attemptRecorder, claimDue, releaseLease } from './deliveries.store.ts';
import type { ClaimedDelivery } from './deliveries.store.ts';
import { nextStep } from './schedule.ts';

const disabledSentences = {
  gone: 'A webhook endpoint answered 410 and was disabled. Its messages are held until it is enabled.',
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
