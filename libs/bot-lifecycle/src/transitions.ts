import type { LifecycleStatusCode, Phase } from './statuses.ts';

/** What can happen to a bot. Inputs of `decide` are translated to one of these. */
export const triggers = [
  'pickup_late',
  'joining',
  'in_waiting_room',
  'in_waiting_for_host',
  'admitted',
  'recording_started',
  'paused',
  'resumed',
  'ended_without_recording',
  'ended_with_recording',
  'upload_unconfirmed',
  'stored_to_complete',
  'stored_to_fail',
  'stored_to_transcribe',
  'recording_lost',
  'transcribed',
  'transcription_failed',
  'retranscribed',
] as const;
export type Trigger = (typeof triggers)[number];

/** `<reason>` is the reason status of the end code, where it has one. */
export type Announcement = LifecycleStatusCode | '<reason>';

export interface Transition {
  readonly from: readonly Phase[];
  readonly on: Trigger;
  readonly to: Phase;
  /** Status codes announced in this order; the last one becomes the bot's status. */
  readonly announces: readonly Announcement[];
}

const attending = ['joining', 'waiting', 'in_call', 'recording', 'paused'] as const satisfies readonly Phase[];
const storing = ['finalizing', 'reconciling'] as const satisfies readonly Phase[];
const failing = ['<reason>', 'recording_failed', 'failed'] as const satisfies readonly Announcement[];

/**
 * The only transition table. A pair of phase and trigger that is not here is refused. A report of the current phase is
 * no transition: `decide` ignores it.
 */
export const transitions: readonly Transition[] = [
  { from: ['queued'], on: 'pickup_late', to: 'queued', announces: ['pickup_delayed'] },
  { from: ['queued', 'waiting'], on: 'joining', to: 'joining', announces: ['joining_call'] },
  { from: ['joining', 'waiting'], on: 'in_waiting_room', to: 'waiting', announces: ['in_waiting_room'] },
  { from: ['joining', 'waiting'], on: 'in_waiting_for_host', to: 'waiting', announces: ['in_waiting_for_host'] },
  { from: ['joining', 'waiting'], on: 'admitted', to: 'in_call', announces: ['in_call_not_recording'] },
  { from: ['in_call'], on: 'recording_started', to: 'recording', announces: ['in_call_recording'] },
  { from: ['recording'], on: 'paused', to: 'paused', announces: ['recording_paused'] },
  { from: ['paused'], on: 'resumed', to: 'recording', announces: ['recording_resumed'] },
  { from: ['queued', ...attending], on: 'ended_without_recording', to: 'failed', announces: failing },
  { from: attending, on: 'ended_with_recording', to: 'finalizing', announces: ['call_ended'] },
  { from: ['finalizing'], on: 'upload_unconfirmed', to: 'reconciling', announces: ['awaiting_reconciliation'] },
  { from: storing, on: 'stored_to_complete', to: 'completed', announces: ['recording_succeeded', 'completed'] },
  { from: storing, on: 'stored_to_fail', to: 'failed', announces: failing },
  {
    from: storing,
    on: 'stored_to_transcribe',
    to: 'transcribing',
    announces: ['recording_succeeded', 'transcribing'],
  },
  { from: storing, on: 'recording_lost', to: 'failed', announces: failing },
  { from: ['transcribing'], on: 'transcribed', to: 'completed', announces: ['completed'] },
  { from: ['transcribing'], on: 'transcription_failed', to: 'failed', announces: ['transcription_failed', 'failed'] },
  { from: ['failed'], on: 'retranscribed', to: 'completed', announces: ['completed'] },
];

export function findTransition(from: Phase, on: Trigger): Transition | undefined {
  return transitions.find((transition) => transition.on === on && transition.from.includes(from));
}
