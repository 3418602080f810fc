/**
 * Every code of `status` in the bot details and of `bot.status_change`. Reason codes give the reason of a failure, are
 * announced once, and are never a bot's current status.
 */
export const lifecycleStatusCodes = [
  'queued',
  'pickup_delayed',
  'joining_call',
  'in_waiting_room',
  'in_waiting_for_host',
  'in_call_not_recording',
  'in_call_recording',
  'recording_paused',
  'recording_resumed',
  'call_ended',
  'recording_succeeded',
  'recording_failed',
  'awaiting_reconciliation',
  'transcribing',
  'transcription_failed',
  'completed',
  'failed',
] as const;

export const reasonStatusCodes = [
  'api_request_stop',
  'bot_rejected',
  'bot_removed',
  'bot_removed_too_early',
  'waiting_room_timeout',
  'invalid_meeting_url',
  'meeting_error',
  'MEET_LOGIN_UNAVAILABLE',
  'MEET_LOGIN_REQUIRED',
  'MEET_LOGIN_FAILED_SAML_REJECTED',
  'MEET_LOGIN_FAILED_TIMEOUT',
] as const;

export type LifecycleStatusCode = (typeof lifecycleStatusCodes)[number];
export type ReasonStatusCode = (typeof reasonStatusCodes)[number];
export type StatusCode = LifecycleStatusCode | ReasonStatusCode;

/** The internal phases of a bot, separate from its public status. Only the last two are final. */
export const phases = [
  'queued',
  'joining',
  'waiting',
  'in_call',
  'recording',
  'paused',
  'finalizing',
  'reconciling',
  'transcribing',
  'completed',
  'failed',
] as const;
export type Phase = (typeof phases)[number];

export function isFinal(phase: Phase): phase is 'completed' | 'failed' {
  return phase === 'completed' || phase === 'failed';
}

/** Phases in which a runner is, or is about to be, in the meeting: `leave` means something in them. */
export function mayLeave(phase: Phase): boolean {
  return phases.indexOf(phase) < phases.indexOf('finalizing');
}

/** Phases in which media is being stored: a runner that fails here leaves a recording to finalize. */
export function hasRecorded(phase: Phase): boolean {
  return phase === 'recording' || phase === 'paused';
}
