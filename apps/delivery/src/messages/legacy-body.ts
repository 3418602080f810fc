import { shownLegacyExtra } from '@rapporteur/contracts';
import type { BotTranscript } from '@rapporteur/contracts';
import { endCodeOf } from '@rapporteur/bot-lifecycle';
import type { EndCode } from '@rapporteur/bot-lifecycle';
import type { EventType } from '../event-types.ts';
import { legacyKeyField } from '../sending/bot-secrets.ts';
import { finalEvent } from './message-body.ts';
import type { BotEnded, Message, SignedArtifacts, StatusChanged } from './message-body.ts';
import { messageIdOf } from './message-id.ts';

/** Bodies in the shapes of the first API generation: `complete`, `failed` and its own `bot.status_change`. */
export function legacyStatusMessage(change: StatusChanged): Message {
  const { code, created_at, start_time, error_message } = change.status;
  const data = {
    bot_id: change.botId,
    status: {
      code,
      created_at,
      ...(start_time === undefined ? {} : { start_time }),
      ...(error_message === undefined ? {} : { error_message }),
    },
  };
  return toMessage(change, { subscribed: 'bot.status_change', occurrence: change.sequence }, 'bot.status_change', data);
}

export function legacyFinalMessage(ended: BotEnded, artifacts: SignedArtifacts | null): Message {
  const head = { bot_id: ended.botId, event_uuid: ended.calendarEventId };
  // Only a legacy bot's extra can be something other than an object.
  const extra = ended.legacy === null ? (ended.extra ?? {}) : shownLegacyExtra(ended.extra);
  const subscribed = finalEvent(ended);
  if (subscribed === 'bot.failed') {
    const error = legacyErrorOf(ended.errorCode);
    const data = { ...head, error, message: ended.errorMessage ?? '', extra };
    return toMessage(ended, { subscribed, occurrence: 0 }, 'failed', data);
  }
  return toMessage(ended, { subscribed, occurrence: 0 }, 'complete', {
    ...head,
    transcript: (artifacts?.transcript?.utterances ?? []).map(transcriptTurn),
    speakers: ended.speakers.map(({ name }) => name),
    mp4: artifacts?.urls['video'] ?? null,
    audio: artifacts?.urls['audio'] ?? null,
    event: 'complete',
    extra,
  });
}

type Utterance = BotTranscript['utterances'][number];

function transcriptTurn({ speaker, start, end, words }: Utterance) {
  return {
    speaker,
    offset: start,
    start_time: start,
    end_time: end,
    words: words.map((word) => ({ start: word.start, end: word.end, word: word.word })),
  };
}

function toMessage(
  from: StatusChanged | BotEnded,
  identity: { readonly subscribed: EventType; readonly occurrence: number },
  event: string,
  data: object,
): Message {
  const { botId, teamId, legacy, order } = from;
  return {
    messageId: messageIdOf(botId, `legacy/${identity.subscribed}`, identity.occurrence),
    teamId,
    botId,
    event: identity.subscribed,
    format: 'legacy',
    keyField: legacy === null ? null : legacyKeyField,
    order,
    body: Buffer.from(JSON.stringify({ event, sequence: order?.sequence ?? null, data })),
  };
}

type LegacyError =
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
