import type { GapReason, IntegritySummary } from '@rapporteur/contracts';
import { delayReasons } from './delay-reasons.ts';
import type { DelayReason } from './delay-reasons.ts';
import { endReasons } from './end-reasons.ts';
import type { EndCode } from './end-reasons.ts';
import { isFinal, mayLeave } from './statuses.ts';
import type { LifecycleStatusCode, Phase } from './statuses.ts';

/** What is stored about a bot, as far as its sentences depend on it. */
export interface BotFacts {
  readonly phase: Phase;
  readonly status: LifecycleStatusCode;
  readonly delayReason: DelayReason | null;
  /** The bot gets less CPU than it needs. */
  readonly isDegraded: boolean;
  /** Why its attendance ended, in its own words; of a failed transcription, the failure. */
  readonly end: { readonly code: EndCode; readonly message: string } | null;
  readonly data: 'kept' | 'being_deleted' | 'deleted';
  /** Which of the recording's files are stored. */
  readonly files: 'video' | 'audio' | 'none';
  readonly recordedMs: number | null;
  readonly integrity: IntegritySummary | null;
  readonly transcription: {
    readonly wanted: boolean;
    readonly status: 'queued' | 'processing' | 'done' | 'error' | null;
    /** The message of the newest failure, or what a waiting one waits for. */
    readonly message: string | null;
    readonly isStored: boolean;
  };
  readonly isMeetingOver: boolean;
}

export const botActions = ['admit', 'start_meeting', 'resume', 'correct', 'send_again', 'transcribe'] as const;

export interface BotAction {
  readonly action: (typeof botActions)[number];
  /** Who can do it: `team` has the bot. */
  readonly by: 'team' | 'host' | 'operator';
  readonly message: string;
}

export interface BotExplanation {
  readonly happened: string;
  /** What the recording lacks, or why there is none; null: it lacks nothing. */
  readonly recording: string | null;
  /** Why there is no transcript; null: there is one. */
  readonly transcript: string | null;
  /** What can be done now. */
  readonly actions: readonly BotAction[];
}

/** The sentences about a bot, for every reader: API, console, command line, assistants. */
export function explainBot(facts: BotFacts): BotExplanation {
  return {
    happened: happenedOf(facts),
    recording: recordingOf(facts),
    transcript: transcriptOf(facts),
    actions: actionsOf(facts),
  };
}

const happening: Readonly<Partial<Record<LifecycleStatusCode, string>>> = {
  queued: 'The bot waits for its start.',
  pickup_delayed: 'The start of the bot is delayed.',
  joining_call: 'The bot is joining the meeting.',
  in_waiting_room: 'The bot is in the waiting room of the meeting.',
  in_waiting_for_host: 'The bot waits until the host starts the meeting.',
  in_call_not_recording: 'The bot is in the meeting and does not record yet.',
  in_call_recording: 'The bot records the meeting.',
  recording_paused: 'The recording is paused. Nothing of the meeting is stored.',
  recording_resumed: 'The bot records the meeting again.',
  call_ended: 'The bot has left the meeting. Its recording is being stored.',
  awaiting_reconciliation:
    'The bot has left the meeting. The object store has not confirmed all files of its recording.',
  transcribing: 'The recording is stored, and is being transcribed.',
};

/** One message for every step of the degradation. */
export const degradedMessage = 'The bot gets less CPU than it needs: its recording drops video, and audio last.';

function happenedOf({ phase, status, delayReason, isDegraded, end }: BotFacts): string {
  if (isFinal(phase)) return end === null ? endReasons.UNKNOWN_ERROR.message : end.message;
  const sentence = happening[status] ?? 'The bot is in progress.';
  if (isDegraded && phase === 'recording') return `${sentence} ${degradedMessage}`;
  return delayReason === null ? sentence : `${sentence} ${delayReasons[delayReason]}`;
}

const gapTexts: Readonly<Record<GapReason, string>> = {
  page_lost: 'the bot had to open the meeting again',
  capture_restarted: 'the capture had to be started again',
  storage_slow: 'the object store took the recording too slowly',
  storage_failed: 'the object store did not take the recording',
  missing_fragments: 'stored parts are missing',
  damaged_fragments: 'stored parts are damaged',
  undecodable_video: 'video frames cannot be decoded',
  between_attempts: 'the bot had to be started again',
  other_format: 'a part is in another format',
};

const videoTexts: Readonly<Record<NonNullable<IntegritySummary['videoMissingReason']>, string>> = {
  audio_only: 'the bot was sent to record audio only',
  no_frames: 'the page showed it and delivered no frames',
  black: 'the page delivered black frames',
  not_offered: 'the meeting did not send it to the bot',
  not_readable: 'the page did not permit to read it',
};

function recordingOf(facts: BotFacts): string | null {
  const { phase, data, files, integrity, recordedMs } = facts;
  if (data !== 'kept') return dataTexts[data];
  if (mayLeave(phase)) return 'The recording is stored when the bot has left the meeting.';
  if (files === 'none')
    return isFinal(phase) ? 'There is no recording.' : 'The recording is being stored, and is not available yet.';
  if (integrity === null) return null;
  const { gapMs, gapReason = null, videoMissingMs, videoMissingReason: reason } = integrity;
  const [impairedMs, degradedMs] = [integrity.audioImpairedMs ?? 0, integrity.degradedMs ?? 0];
  const lacks: string[] = [];
  const whole = recordedMs !== null && recordedMs >= gapMs ? ` of ${lengthOf(recordedMs)}` : '';
  if (gapMs >= shownMs)
    lacks.push(
      `${lengthOf(gapMs)}${whole} ${gapMs < 1_500 ? 'is' : 'are'} not recorded${gapReason === null ? '' : `: ${gapTexts[gapReason]}`}.`,
    );
  const why = reason === null ? '.' : `: ${videoTexts[reason]}.`;
  if (files === 'audio') lacks.push(`There is no video${why}`);
  else if ((videoMissingMs ?? 0) >= shownMs)
    lacks.push(`${lengthOf(videoMissingMs ?? 0)} of its video is missing${why}`);
  if (files === 'video' && degradedMs >= shownMs)
    lacks.push(
      `For ${lengthOf(degradedMs)} its video has fewer or smaller frames: the bot got less CPU than it needs.`,
    );
  if (impairedMs >= audibleMs) lacks.push(`For ${lengthOf(impairedMs)} its audio is interrupted or stretched.`);
  return lacks.length === 0 ? null : lacks.join(' ');
}

/** Shorter losses are in the integrity report only. */
const shownMs = 500;
/** A loss of audio, which is measured by the second, is stated from this length on. */
const audibleMs = 5_000;

const dataTexts = {
  being_deleted: 'The data of this bot is not shown any more, and is being deleted.',
  deleted: 'The data of this bot was deleted.',
} as const;

function transcriptOf({ phase, data, files, transcription }: BotFacts): string | null {
  const { wanted, status, message, isStored } = transcription;
  if (data !== 'kept') return dataTexts[data];
  const detail = message === null ? '' : ` ${message}`;
  if (status === 'error')
    return `${isStored ? 'The newest transcription failed, and the transcript before is kept.' : 'The transcription failed.'}${detail}`;
  if (isStored && status === 'done') return null;
  if (status === 'queued') return 'The transcription waits for its start.';
  if (status === 'processing')
    return message === null ? 'The transcript is being written.' : `The transcription waits.${detail}`;
  if (isStored) return null;
  if (!wanted) return 'The bot was sent without transcription.';
  if (!isFinal(phase)) return 'The transcript is written when the recording is stored.';
  return files === 'none'
    ? 'There is no transcript, because there is no recording.'
    : 'There is no transcript: the recording of a bot that failed is transcribed on request only.';
}

function actionsOf(facts: BotFacts): BotAction[] {
  const { phase, status, end, data, files, transcription, isMeetingOver } = facts;
  if (!isFinal(phase)) return liveActions(status);
  const actions: BotAction[] = [];
  if (data === 'kept' && files !== 'none' && !(transcription.isStored && transcription.status === 'done'))
    if (transcription.status !== 'queued' && transcription.status !== 'processing')
      actions.push({
        action: 'transcribe',
        by: 'team',
        message:
          transcription.status === 'error'
            ? 'Transcribe the recording again, with another provider if this one failed.'
            : 'Transcribe the recording.',
      });
  if (phase === 'completed' || end === null || end.code === 'TRANSCRIPTION_FAILED') return actions;
  const remedy = remedies[end.code];
  if (remedy !== undefined) actions.push({ action: 'correct', by: remedy[0], message: remedy[1] });
  if (!isMeetingOver && end.code !== 'BOT_ALREADY_EXISTS' && end.code !== 'MEETING_ENDED_PREMATURELY')
    actions.push({ action: 'send_again', by: 'team', message: 'Send another bot, if the meeting is still running.' });
  return actions;
}

function liveActions(status: LifecycleStatusCode): BotAction[] {
  if (status === 'in_waiting_room')
    return [{ action: 'admit', by: 'host', message: 'Admit the bot, in the list of participants of the meeting.' }];
  if (status === 'in_waiting_for_host') return [{ action: 'start_meeting', by: 'host', message: 'Start the meeting.' }];
  if (status === 'recording_paused') return [{ action: 'resume', by: 'team', message: 'Resume the recording.' }];
  return [];
}

const credentials = ['team', 'Check the SDK id and the SDK password in the Zoom App Marketplace.'] as const;
const login = ['team', 'Add a stored login that may join, or activate those that are invalid.'] as const;

/** What corrects the cause of an end. Absent: only another bot helps. */
const remedies: Readonly<Partial<Record<EndCode, readonly [by: BotAction['by'], message: string]>>> = {
  BOT_NOT_ACCEPTED: ['host', 'Admit the bot; a stored login that the meeting admits by itself needs no host.'],
  TIMEOUT_WAITING_TO_START: ['host', 'Admit the bot while it waits.'],
  WAITING_FOR_HOST_TIMEOUT: ['host', 'Start the meeting before the bot joins.'],
  CANNOT_JOIN_MEETING: ['team', 'Open the link in a browser: the meeting may be over, or closed to guests.'],
  INVALID_MEETING_URL: ['team', 'Copy the link of the meeting again, with everything behind its question mark.'],
  LOGIN_REQUIRED: ['team', 'Send the bot with a stored login.'],
  STREAMING_SETUP_FAILED: ['team', 'Check the addresses of streaming_config: public wss:// addresses that accept it.'],
  MEET_LOGIN_UNAVAILABLE: login,
  MEET_LOGIN_REQUIRED: login,
  MEET_LOGIN_FAILED_SAML_REJECTED: ['team', 'Verify the workspace: certificate, issuer and ACS URL have to match.'],
  MEET_LOGIN_FAILED_TIMEOUT: ['team', 'Sign in as the user by hand, then activate the login.'],
  TEAMS_LOGIN_UNAVAILABLE: login,
  TEAMS_LOGIN_REQUIRED: login,
  TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS: ['team', 'Set the right password, which activates the login.'],
  TEAMS_LOGIN_FAILED_CAPTCHA: ['team', 'Sign in as the user by hand, then activate the login.'],
  TEAMS_LOGIN_FAILED_MFA_REQUIRED: ['team', 'Exempt the account from the second factor, then activate the login.'],
  WAITING_FOR_AUTHORIZED_USER_TIMEOUT: ['host', 'The user of the OBF token joins the meeting before the bot.'],
  UNABLE_JOIN_EXTERNAL_MEETING: ['team', 'Use a stored credential of a user of that meeting.'],
  RECORDING_RIGHTS_NOT_GRANTED: ['host', 'Allow the bot to record.'],
  CANNOT_REQUEST_RECORDING_RIGHT: ['host', 'Permit local recording in the settings of the account.'],
  HOST_CLIENT_CANNOT_GRANT_PERMISSION: ['host', 'Update the Zoom client.'],
  SET_ALPHA_ID_AND_PWD_TOGETHER: ['team', 'Set both alpha_sdk_id and alpha_sdk_pwd, or neither.'],
  CANNOT_GET_JWT_TOKEN: credentials,
  SDK_AUTH_FAILED: credentials,
  ALPHA_ACCESS_TOKEN_ERROR: ['team', 'Check that zak_token_url returns a token within its time limit.'],
  ALPHA_OBF_TOKEN_ERROR: ['team', 'Authorize the stored credential again.'],
  INSUFFICIENT_TOKENS: ['operator', 'Grant the team more tokens.'],
  DAILY_BOT_CAP_REACHED: ['operator', 'Raise the daily cap of the team; it is free again within 24 hours.'],
  OOM_KILLED: ['operator', 'Raise the memory limit of bots.'],
  INTERNAL_ERROR: ['operator', 'Read the log of the bot for the cause.'],
  GENERAL_ERROR: ['operator', 'Read the log of the bot for the cause.'],
  UNKNOWN_ERROR: ['operator', 'Read the log of the bot for the cause.'],
};

/** `29 s`, `3 min 5 s`; at least `1 s`. */
function lengthOf(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
