import type { Database } from '@rapporteur/database';
import type { AttemptQueue } from '../sending/attempt-worker.ts';
import { nextCallbackDeliveryStep } from './callback-delivery-schedule.ts';
import {
  claimCallbackDeliveries,
  recordCallbackDelivery,
  releaseCallbackDelivery,
} from './callback-deliveries.store.ts';
import type { ClaimedCallbackDelivery } from './callback-deliveries.store.ts';

/** Callbacks and the webhooks of legacy bots with an address of their own, as work for an AttemptWorker. */
export function callbackDeliveryQueue(database: Database): AttemptQueue<ClaimedCallbackDelivery> {
  return {
    claim: (limits) => claimCallbackDeliveries(database, limits),
    stepAfter: (call, result, spread) => nextCallbackDeliveryStep(call.kind, result, call.tries + 1, spread),
    record: (call, result, outcome) => recordCallbackDelivery(database, call, result, outcome),
    release: (call, dueMs) => releaseCallbackDelivery(database, call, dueMs),
    partitionOf: (call) => call.partition,
    factsOf: ({ teamId, botId, callId, messageId, event, kind }) => ({
      teamId,
      botId,
      callId,
      messageId,
      event,
      to: kind,
    }),
  };
}
