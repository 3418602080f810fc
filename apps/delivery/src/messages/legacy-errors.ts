import { endCodeOf } from '@rapporteur/bot-lifecycle';
import type { EndCode } from '@rapporteur/bot-lifecycle';

export type LegacyError =
  | 'BotNotAccepted'
  | 'BotRemoved'
  | 'CannotJoinMeeting'
  | 'InternalError'
  | 'InvalidMeetingUrl'
  | 'TimeoutWaitingToStart';

/** Maps every end code to one of the six error names of the first API generation. */
const legacyErrors = {
  BOT_REMOVED: 'BotRemoved',
  NO_ATTENDEES: 'TimeoutWaitingToStart',
  NO_SPEAKER: 'InternalError',
  RECORDING_TIMEOUT: 'InternalError',
  API_REQUEST: 'BotRemoved',

  BOT_NOT_ACCEPTED: 'BotNotAccepted',
  TIMEOUT_WAITING_TO_START: 'TimeoutWaitingToStart',
  CANNOT_JOIN_MEETING: 'CannotJoinMeeting',
  BOT_REMOVED_TOO_EARLY: 'BotRemoved',
  INVALID_MEETING_URL: 'InvalidMeetingUrl',
  STREAMING_SETUP_FAILED: 'InternalError',
  LOGIN_REQUIRED: 'CannotJoinMeeting',
  INTERNAL_ERROR: 'InternalError',

  OOM_KILLED: 'InternalError',
  SIGTERM: 'InternalError',
  FORCE_KILLED: 'InternalError',
  GENERAL_ERROR: 'InternalError',

  EXITING_MEETING_BEFORE_RECORD: 'BotRemoved',
  TRANSCRIPTION_FAILED: 'InternalError',

  WAITING_FOR_HOST_TIMEOUT: 'TimeoutWaitingToStart',
  WAITING_FOR_AUTHORIZED_USER_TIMEOUT: 'TimeoutWaitingToStart',
  UNABLE_JOIN_EXTERNAL_MEETING: 'CannotJoinMeeting',
  RECORDING_RIGHTS_NOT_GRANTED: 'BotNotAccepted',
  CANNOT_REQUEST_RECORDING_RIGHT: 'BotNotAccepted',
  MEETING_ENDED_PREMATURELY: 'CannotJoinMeeting',
  SET_ALPHA_ID_AND_PWD_TOGETHER: 'CannotJoinMeeting',
  CANNOT_GET_JWT_TOKEN: 'CannotJoinMeeting',
  SDK_AUTH_FAILED: 'CannotJoinMeeting',
  ALPHA_ACCESS_TOKEN_ERROR: 'CannotJoinMeeting',
  ALPHA_OBF_TOKEN_ERROR: 'CannotJoinMeeting',
  RECORDING_START_TIMEOUT: 'TimeoutWaitingToStart',
  HOST_CLIENT_CANNOT_GRANT_PERMISSION: 'BotNotAccepted',

  MEET_LOGIN_UNAVAILABLE: 'CannotJoinMeeting',
  MEET_LOGIN_REQUIRED: 'CannotJoinMeeting',
  MEET_LOGIN_FAILED_SAML_REJECTED: 'CannotJoinMeeting',
  MEET_LOGIN_FAILED_TIMEOUT: 'CannotJoinMeeting',

  TEAMS_LOGIN_UNAVAILABLE: 'CannotJoinMeeting',
  TEAMS_LOGIN_REQUIRED: 'CannotJoinMeeting',
  TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS: 'CannotJoinMeeting',
  TEAMS_LOGIN_FAILED_CAPTCHA: 'CannotJoinMeeting',
  TEAMS_LOGIN_FAILED_MFA_REQUIRED: 'CannotJoinMeeting',
  TEAMS_LOGIN_FAILED_TIMEOUT: 'CannotJoinMeeting',

  INSUFFICIENT_TOKENS: 'InternalError',
  DAILY_BOT_CAP_REACHED: 'InternalError',
  BOT_ALREADY_EXISTS: 'InternalError',
  UNKNOWN_ERROR: 'InternalError',
} as const satisfies Record<EndCode, LegacyError>;

/** `error` of a legacy `failed` event; an unknown code is InternalError. The event's message is the original one. */
export function legacyErrorOf(code: string | null): LegacyError {
  return legacyErrors[endCodeOf(code ?? 'UNKNOWN_ERROR')];
}
