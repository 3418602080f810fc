import { platforms } from '@rapporteur/contracts/platforms';
import { Fragment } from 'react';

/** A bot's status as text, with a colour that repeats it. */
export function Status({ status }: { readonly status: string }) {
  return <span className={`status ${phaseOf(status)}`}>{statusText(status)}</span>;
}

export function State({ state }: { readonly state: string }) {
  const kinds: Record<string, string> = {
    active: 'good',
    done: 'good',
    pass: 'good',
    passed: 'good',
    succeeded: 'good',
    failed: 'bad',
    failing: 'bad',
    gone: 'bad',
    disabled_failing: 'bad',
    refused: 'bad',
    fail: 'bad',
    invalid: 'bad',
    error: 'bad',
    revoked: 'bad',
    permission_denied: 'bad',
    pending: 'waiting',
    held: 'waiting',
    warn: 'waiting',
    warning: 'waiting',
    suspended: 'waiting',
    scheduled: 'waiting',
  };
  return <span className={`status ${kinds[state] ?? 'neutral'}`}>{stateText(state)}</span>;
}

/** A code such as BOT_NOT_ACCEPTED, with line breaks allowed after underscores. */
export function CodeName({ code }: { readonly code: string }) {
  const words = code.split('_');
  return words.map((word, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          _<wbr />
        </>
      )}
      {word}
    </Fragment>
  ));
}

export type Phase = 'waiting' | 'recording' | 'good' | 'bad' | 'neutral';

const texts: Readonly<Record<string, string>> = {
  queued: 'Queued',
  pickup_delayed: 'Waiting for a machine',
  joining_call: 'Joining',
  retrying: 'Trying again',
  in_waiting_room: 'In the waiting room',
  in_waiting_for_host: 'Waiting for the host',
  in_call_not_recording: 'In the call',
  in_call_recording: 'Recording',
  recording_paused: 'Recording paused',
  recording_resumed: 'Recording',
  call_ended: 'Call ended',
  recording_succeeded: 'Recorded',
  recording_failed: 'Recording failed',
  transcribing: 'Transcribing',
  transcription_failed: 'Transcription failed',
  awaiting_reconciliation: 'Confirming files',
  completed: 'Completed',
  failed: 'Failed',
  api_request_stop: 'Leaving on request',
  bot_rejected: 'Not admitted',
  bot_removed: 'Removed',
  bot_removed_too_early: 'Removed too early',
  waiting_room_timeout: 'Not admitted in time',
  invalid_meeting_url: 'Link not valid',
  meeting_error: 'Meeting error',
};

/** States of objects other than bots that the page shows in other words than the API's. */
const stateTexts: Readonly<Record<string, string>> = {
  failing: 'Failing: every delivery fails',
  by_request: 'Disabled',
  gone: 'Disabled: the address is gone',
  disabled_failing: 'Disabled after days of failures',
  pass: 'Passed',
  warn: 'Note',
  fail: 'Problem',
  done: 'Done',
  succeeded: 'Delivered',
  pending: 'Waiting',
  held: 'Held back',
  permission_denied: 'Access was taken away',
  suspended: 'Taken back',
  skipped: 'Not checked',
  'not-reached': 'Not reached',
};

export function stateText(state: string): string {
  const text = stateTexts[state] ?? state.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Statuses from which the bot can leave: in the meeting or joining. */
const leavable = new Set([
  'queued',
  'pickup_delayed',
  'joining_call',
  'retrying',
  'in_waiting_room',
  'in_waiting_for_host',
  'in_call_not_recording',
  'in_call_recording',
  'recording_paused',
  'recording_resumed',
]);

export function mayLeave(status: string): boolean {
  return leavable.has(status);
}

/** The recording can be paused. */
export function isPausable(status: string): boolean {
  return recording.has(status);
}

/** Statuses of a bot that is in the meeting: it can write to the chat. */
const present = new Set(['in_call_not_recording', 'in_call_recording', 'recording_paused', 'recording_resumed']);

export function isPresent(status: string): boolean {
  return present.has(status);
}

const recording = new Set(['in_call_recording', 'recording_resumed']);
const bad = new Set([
  'failed',
  'recording_failed',
  'transcription_failed',
  'bot_rejected',
  'bot_removed_too_early',
  'waiting_room_timeout',
  'invalid_meeting_url',
  'meeting_error',
]);

export function statusText(status: string): string {
  return texts[status] ?? status.replaceAll('_', ' ').toLowerCase();
}

export function phaseOf(status: string): Phase {
  if (status === 'completed') return 'good';
  if (recording.has(status)) return 'recording';
  return bad.has(status) || status.startsWith('MEET_') ? 'bad' : 'waiting';
}

/** Final states (specification, part 3). */
export function isFinal(status: string): boolean {
  return status === 'completed' || status === 'failed';
}

export const platformNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(platforms).map(([name, { title }]) => [name, title]),
);

export const platformName = (platform: string): string => platformNames[platform] ?? platform;
