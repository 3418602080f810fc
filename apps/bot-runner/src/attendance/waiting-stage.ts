import type { LeaveObservation } from '@rapporteur/bot-lifecycle';
import type { SessionState } from '@rapporteur/meeting-platforms';

/** What a bot waits for before it is in the call, and the status that the customer is notified of. */
export interface WaitingStage {
  readonly stage: Exclude<LeaveObservation['stage'], 'joining' | 'in_call'>;
  readonly status: 'in_waiting_room' | 'in_waiting_for_host';
}

const stages: Readonly<Partial<Record<SessionState, WaitingStage>>> = {
  'waiting-room': { stage: 'waiting_room', status: 'in_waiting_room' },
  'waiting-for-host': { stage: 'waiting_for_host', status: 'in_waiting_for_host' },
  // It has no status of its own: like a host, an authorized participant has to join first.
  'waiting-for-authorized-user': { stage: 'waiting_for_authorized_user', status: 'in_waiting_for_host' },
};

export function waitingStageOf(state: SessionState): WaitingStage | null {
  return stages[state] ?? null;
}
