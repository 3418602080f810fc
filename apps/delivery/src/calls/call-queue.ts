import type { Database } from '@rapporteur/database';
import type { AttemptQueue } from '../sending/attempt-worker.ts';
import { nextCallStep } from './call-schedule.ts';
import { claimCalls, recordCall, releaseCall } from './calls.store.ts';
import type { ClaimedCall } from './calls.store.ts';

/** Callbacks and the webhooks of legacy bots with an address of their own, as work for an AttemptWorker. */
export function callQueue(database: Database): AttemptQueue<ClaimedCall> {
  return {
    claim: (limits) => claimCalls(database, limits),
    stepAfter: (call, result, spread) => nextCallStep(call.kind, result, call.tries + 1, spread),
    record: (call, result, outcome) => recordCall(database, call, result, outcome),
    release: (call, dueMs) => releaseCall(database, call, dueMs),
    laneOf: (call) => call.lane,
    traceOf: ({ trace }) => trace,
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
