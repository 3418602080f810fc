/**
 * Every code that `status` of the bot details and `bot.status_change` may carry. Reason codes tell why a bot failed, are
 * announced once, and are never a bot's standing status.
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

/** Where a bot stands, apart from what it calls itself in public. Only the last two are final. */
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

/** Phases in which media is on its way to storage: a runner that dies here leaves something to finalize. */
export function hasRecorded(phase: Phase): boolean {
  return phase === 'recording' || phase === 'paused';
}
