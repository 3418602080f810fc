import type { ReasonStatusCode } from './statuses.ts';

/** The groups of specification 7.2. */
export type EndKind =
  | 'normal'
  | 'error'
  | 'crash'
  | 'pre-recording'
  | 'transcription'
  | 'platform'
  | 'meet-auth'
  | 'teams-auth'
  | 'system';

/** The meters charged for a bot with this end; all other reservations are released. */
export type Charging = 'full' | 'recording_only' | 'recording_and_streaming' | 'none';

export interface EndReason {
  readonly kind: EndKind;
  readonly outcome: 'completed' | 'failed';
  readonly charging: Charging;
  /** Announced just before `recording_failed`, as its reason. */
  readonly reasonStatus: ReasonStatusCode | null;
  /** What happened and what to do, safe to show to the customer. */
  readonly message: string;
}

function reason(
  kind: EndKind,
  reasonStatus: ReasonStatusCode | null,
  message: string,
  charging: Charging = 'none',
): EndReason {
  return { kind, outcome: kind === 'normal' ? 'completed' : 'failed', charging, reasonStatus, message };
}

const normal = (reasonStatus: ReasonStatusCode | null, message: string) =>
  reason('normal', reasonStatus, message, 'full');

const teamsLogin = (message: string) => reason('teams-auth', 'meeting_error', message);

/** Every end reason of specification 7.2, and those of Teams logins, which it leaves open. */
export const endReasons = {
  BOT_REMOVED: normal('bot_removed', 'The bot was removed from the meeting, or the meeting was ended.'),
  NO_ATTENDEES: normal(null, 'No participant joined the meeting in time, or all had left, so the bot left.'),
  NO_SPEAKER: normal(null, 'There was no speech for the configured time, so the bot left.'),
  RECORDING_TIMEOUT: normal(null, 'The recording reached its longest allowed duration.'),
  API_REQUEST: normal('api_request_stop', 'The recording was stopped through the leave endpoint.'),

  BOT_NOT_ACCEPTED: reason(
    'error',
    'bot_rejected',
    'The bot was not let into the meeting by its participants or by the platform.',
    'recording_only',
  ),
  TIMEOUT_WAITING_TO_START: reason(
    'error',
    'waiting_room_timeout',
    'The bot was not admitted within its waiting time. A higher timeout_config.waiting_room_timeout gives it longer.',
    'recording_only',
  ),
  CANNOT_JOIN_MEETING: reason(
    'error',
    'meeting_error',
    'The meeting could not be reached or does not exist. Check the link.',
  ),
  BOT_REMOVED_TOO_EARLY: reason(
    'error',
    'bot_removed_too_early',
    'The bot was removed before there was enough to make a video of.',
  ),
  INVALID_MEETING_URL: reason('error', 'invalid_meeting_url', 'The meeting link does not lead to a meeting.'),
  STREAMING_SETUP_FAILED: reason('error', null, 'The audio stream could not be set up. Check the streaming addresses.'),
  LOGIN_REQUIRED: reason('error', 'meeting_error', 'The meeting only lets signed-in people in.'),
  INTERNAL_ERROR: reason('error', null, 'An internal error occurred while the bot was working.'),

  OOM_KILLED: reason('crash', null, "The bot's process ran out of memory."),
  SIGTERM: reason('crash', null, "The bot's process got a stop signal before the meeting was over."),
  FORCE_KILLED: reason('crash', null, "The bot's process was killed."),
  GENERAL_ERROR: reason('crash', null, "The bot's process ended unexpectedly."),

  EXITING_MEETING_BEFORE_RECORD: reason(
    'pre-recording',
    null,
    'The bot left before a recording had started. No tokens were used.',
  ),

  TRANSCRIPTION_FAILED: reason(
    'transcription',
    null,
    'The recording is stored and could not be transcribed.',
    'recording_and_streaming',
  ),

  WAITING_FOR_HOST_TIMEOUT: reason(
    'platform',
    'waiting_room_timeout',
    'The host did not start the meeting in time. A higher timeout_config.waiting_room_timeout gives it longer.',
  ),
  WAITING_FOR_AUTHORIZED_USER_TIMEOUT: reason(
    'platform',
    'waiting_room_timeout',
    'The user who authorized the OBF token never joined the meeting.',
  ),
  UNABLE_JOIN_EXTERNAL_MEETING: reason(
    'platform',
    'meeting_error',
    'The SDK app may not join meetings of another organization.',
  ),
  RECORDING_RIGHTS_NOT_GRANTED: reason('platform', 'meeting_error', 'The host did not allow the bot to record.'),
  CANNOT_REQUEST_RECORDING_RIGHT: reason(
    'platform',
    'meeting_error',
    'The bot could not ask for the right to record. Recording may be switched off for this meeting.',
  ),
  MEETING_ENDED_PREMATURELY: reason(
    'platform',
    'meeting_error',
    'The meeting ended before the bot could take part in it.',
  ),
  SET_ALPHA_ID_AND_PWD_TOGETHER: reason('platform', null, 'The SDK id and the SDK password must be given together.'),
  CANNOT_GET_JWT_TOKEN: reason('platform', null, 'No token could be made from the SDK credentials.'),
  SDK_AUTH_FAILED: reason('platform', null, 'The platform refused the SDK credentials.'),
  ALPHA_ACCESS_TOKEN_ERROR: reason(
    'platform',
    null,
    'The ZAK token could not be obtained, for example because zak_token_url did not respond.',
  ),
  ALPHA_OBF_TOKEN_ERROR: reason(
    'platform',
    null,
    'The OBF token was refused, expired or could not be obtained. Check that the state of the stored credential is active.',
  ),
  RECORDING_START_TIMEOUT: reason(
    'platform',
    'meeting_error',
    'The right to record was granted but the recording never started.',
    'recording_only',
  ),
  HOST_CLIENT_CANNOT_GRANT_PERMISSION: reason(
    'platform',
    'meeting_error',
    "The host's client cannot show the dialog that grants the right to record.",
  ),

  MEET_LOGIN_UNAVAILABLE: reason(
    'meet-auth',
    'MEET_LOGIN_UNAVAILABLE',
    'No matching login is active and free, and meet_config.fallback is fail.',
  ),
  MEET_LOGIN_REQUIRED: reason(
    'meet-auth',
    'MEET_LOGIN_REQUIRED',
    'The meeting needs a signed-in user and the bot could not sign in.',
  ),
  MEET_LOGIN_FAILED_SAML_REJECTED: reason(
    'meet-auth',
    'MEET_LOGIN_FAILED_SAML_REJECTED',
    'The SAML sign-in was rejected. Fix the workspace, then activate it again.',
  ),
  MEET_LOGIN_FAILED_TIMEOUT: reason(
    'meet-auth',
    'MEET_LOGIN_FAILED_TIMEOUT',
    'The sign-in did not complete in time. Fix the login, then activate it again.',
  ),

  TEAMS_LOGIN_UNAVAILABLE: teamsLogin('No matching login is active and free, and teams_config.fallback is fail.'),
  TEAMS_LOGIN_REQUIRED: teamsLogin('The meeting needs a signed-in user and the bot could not sign in.'),
  TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS: teamsLogin(
    'Microsoft did not accept the email and password of the login. Set the right password, which activates the login again.',
  ),
  TEAMS_LOGIN_FAILED_CAPTCHA: teamsLogin(
    'Microsoft asked for a captcha, which the bot does not solve. Sign in once by hand, then activate the login again.',
  ),
  TEAMS_LOGIN_FAILED_MFA_REQUIRED: teamsLogin(
    'Microsoft asked for a second factor. Exempt the account from it, then activate the login again.',
  ),
  TEAMS_LOGIN_FAILED_TIMEOUT: teamsLogin('The sign-in did not complete in time.'),

  INSUFFICIENT_TOKENS: reason('system', null, 'The team does not have enough tokens to launch a bot.'),
  DAILY_BOT_CAP_REACHED: reason(
    'system',
    null,
    'The team has created as many bots in the last 24 hours as its plan allows.',
  ),
  BOT_ALREADY_EXISTS: reason('system', null, 'A bot was already sent to this meeting in the last 5 minutes.'),
  UNKNOWN_ERROR: reason('system', null, 'The bot failed and the cause is not known.'),
} as const satisfies Record<string, EndReason>;

export type EndCode = keyof typeof endReasons;

export function isEndCode(code: string): code is EndCode {
  return Object.hasOwn(endReasons, code);
}

/** A code from the wire; an unknown one is UNKNOWN_ERROR. */
export function endCodeOf(code: string): EndCode {
  return isEndCode(code) ? code : 'UNKNOWN_ERROR';
}

/**
 * A normal end implies a recording. Without one the bot was either removed too early or left before recording: the
 * failures of specification 7.2 for these cases. Every other code is unchanged.
 */
export function endCodeWithoutRecording(code: EndCode): EndCode {
  if (endReasons[code].kind !== 'normal') return code;
  return code === 'BOT_REMOVED' ? 'BOT_REMOVED_TOO_EARLY' : 'EXITING_MEETING_BEFORE_RECORD';
}
