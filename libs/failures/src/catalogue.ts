/** Who can resolve the failure. */
export type Fault = 'caller' | 'service' | 'outside';

export interface CatalogueEntry {
  /** HTTP status of the envelope (specification 7.1). */
  readonly status: number;
  /** `code` on the wire. */
  readonly wireCode: string;
  /** `error` on the wire: a short name. */
  readonly error: string;
  /** `message` on the wire when `fail` is called without one; safe to show. */
  readonly sentence: string;
  readonly fault: Fault;
  /** True when the same request may succeed later unchanged: a consumer retries, a client may. */
  readonly retryable: boolean;
}

type Cause = Pick<CatalogueEntry, 'fault' | 'retryable' | 'sentence'>;

function entry(status: number, wireCode: string, error: string, cause: Cause) {
  return { status, wireCode, error, ...cause } as const satisfies CatalogueEntry;
}

const caller = (status: number, wireCode: string, error: string, sentence: string) =>
  entry(status, wireCode, error, { fault: 'caller', retryable: false, sentence });

/** Every failure, in alphabetical order. */
export const catalogue = {
  ADDRESS_REFUSED: caller(400, 'FST_ERR_ADDRESS_REFUSED', 'Bad Request', 'This address may not be called from here.'),
  API_KEY_LIMIT: caller(409, 'FST_ERR_API_KEY_LIMIT', 'Conflict', 'The team has as many API keys as it may have.'),
  API_KEY_NOT_FOUND: caller(404, 'FST_ERR_API_KEY_NOT_FOUND', 'Not Found', 'There is no API key with this id.'),
  BODY_TOO_LARGE: caller(413, 'FST_ERR_CTP_BODY_TOO_LARGE', 'Payload Too Large', 'The request body is too large.'),
  BOT_ALREADY_EXISTS: caller(
    409,
    'FST_ERR_BOT_ALREADY_EXISTS',
    'Conflict',
    'A bot was already sent to this meeting in the last 5 minutes.',
  ),
  BOT_NOT_FOUND: caller(404, 'FST_ERR_BOT_NOT_FOUND_BY_ID', 'Not Found', 'There is no bot with this id.'),
  BOT_STATUS: caller(409, 'FST_ERR_BOT_STATUS', 'Conflict', "The bot's current status does not permit this."),
  BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN: caller(
    403,
    'FST_ERR_BYOK_TRANSCRIPTION_NOT_ENABLED_ON_PLAN',
    'Forbidden',
    "The team's plan does not allow keys of its own for transcription. Leave api_key out.",
  ),
  CALENDAR_CONNECTED_ALREADY: caller(
    409,
    'FST_ERR_CALENDAR_CONFLICT',
    'Conflict',
    'The team has connected this calendar already.',
  ),
  CALENDAR_CONSENT_NOT_FOUND: caller(
    404,
    'FST_ERR_CALENDAR_CONSENT',
    'Not Found',
    'This consent is unknown, was used already, took longer than ten minutes or was begun by another user. Connect again.',
  ),
  CALENDAR_CONSENT_REFUSED: caller(
    403,
    'FST_ERR_CALENDAR_CONSENT_REFUSED',
    'Forbidden',
    'The calendar provider gave no consent that suffices.',
  ),
  CALENDAR_CONSENT_UNAVAILABLE: caller(
    409,
    'FST_ERR_CALENDAR_CONSENT_UNAVAILABLE',
    'Conflict',
    'The operator has configured no OAuth client of this calendar provider. Connect the calendar with credentials of your own OAuth app.',
  ),
  CALENDAR_CREDENTIALS_REFUSED: caller(
    401,
    'FST_ERR_CALENDAR_CREDENTIALS',
    'Unauthorized',
    'The calendar provider does not accept these credentials.',
  ),
  CALENDAR_EVENT_NOT_FOUND: caller(
    404,
    'FST_ERR_CALENDAR_EVENT_NOT_FOUND',
    'Not Found',
    'There is no calendar event with this id.',
  ),
  CALENDAR_FORBIDDEN: caller(
    403,
    'FST_ERR_CALENDAR_PERMISSION',
    'Forbidden',
    'The calendar provider does not permit this with these credentials.',
  ),
  CALENDAR_NOT_FOUND: caller(404, 'FST_ERR_CALENDAR_NOT_FOUND', 'Not Found', 'There is no calendar with this id.'),
  CALENDAR_RULE_LIMIT: caller(
    409,
    'FST_ERR_CALENDAR_RULE_LIMIT',
    'Conflict',
    'The team has as many calendar rules as it may have. Delete one first.',
  ),
  CALENDAR_RULE_NOT_FOUND: caller(
    404,
    'FST_ERR_CALENDAR_RULE_NOT_FOUND',
    'Not Found',
    'There is no calendar rule with this id.',
  ),
  CALENDAR_SERIES_NOT_FOUND: caller(
    404,
    'FST_ERR_CALENDAR_SERIES_NOT_FOUND',
    'Not Found',
    'There is no series with this id in this calendar.',
  ),
  CALLBACK_NOT_CONFIGURED: caller(
    409,
    'FST_ERR_CALLBACK_NOT_CONFIGURED',
    'Conflict',
    'This bot was created without a callback.',
  ),
  CALLBACK_NOT_FOUND: caller(
    404,
    'FST_ERR_CALLBACK_NOT_FOUND',
    'Not Found',
    'No callback was made for a bot with this id.',
  ),
  CHAT_DISABLED: caller(
    422,
    'FST_ERR_CHAT_DISABLED',
    'Unprocessable Entity',
    "This meeting's chat is closed to the bot.",
  ),
  CONSOLE_SIGN_IN: caller(401, 'FST_ERR_CONSOLE_SIGN_IN', 'Unauthorized', 'Sign in to the console with an API key.'),
  CREDENTIAL_NOT_FOUND: caller(
    404,
    'FST_ERR_CREDENTIAL_NOT_FOUND',
    'Not Found',
    'There is no stored credential with this id.',
  ),
  CREDENTIAL_REFUSED: caller(
    422,
    'FST_ERR_CREDENTIAL_REFUSED',
    'Unprocessable Entity',
    'The platform does not accept these credentials.',
  ),
  CREDENTIAL_UNUSABLE: caller(
    422,
    'FST_ERR_CREDENTIAL_UNUSABLE',
    'Unprocessable Entity',
    'No bot can join with this stored credential.',
  ),
  DAILY_BOT_CAP_REACHED: caller(
    429,
    'FST_ERR_DAILY_BOT_CAP_REACHED',
    'Daily Bot Cap Reached',
    'The team has created as many bots in the last 24 hours as its plan allows.',
  ),
  FORBIDDEN: caller(403, 'FST_ERR_FORBIDDEN', 'Forbidden', 'Forbidden'),
  GRANT_REJECTED: caller(
    403,
    'FST_ERR_GRANT_REJECTED',
    'Forbidden',
    'This upload grant is not valid, or a newer runner took over.',
  ),
  HEADERS_TOO_LARGE: caller(
    431,
    'FST_ERR_HEADERS_TOO_LARGE',
    'Request Header Fields Too Large',
    'The headers of the request are too large.',
  ),
  IDEMPOTENCY_IN_PROGRESS: caller(
    409,
    'FST_ERR_IDEMPOTENCY_IN_PROGRESS',
    'Conflict',
    'A request with this Idempotency-Key is still being worked on. Try again in a moment.',
  ),
  IDEMPOTENCY_KEY_REUSED: caller(
    422,
    'FST_ERR_IDEMPOTENCY_KEY_REUSED',
    'Unprocessable Entity',
    'This Idempotency-Key was used for another request. Take a new one.',
  ),
  INSUFFICIENT_TOKENS: caller(
    402,
    'FST_ERR_INSUFFICIENT_TOKENS',
    'Insufficient Tokens',
    'The team does not have enough tokens to launch a bot.',
  ),
  INTERNAL: entry(500, 'FST_ERR_INTERNAL', 'Internal Server Error', {
    fault: 'service',
    retryable: true,
    sentence: 'Something went wrong on our side. The request id is in our log.',
  }),
  INTERNAL_TOKEN_REJECTED: caller(
    401,
    'FST_ERR_INTERNAL_TOKEN',
    'Unauthorized',
    'This route is for other services of this deployment and the token was not accepted.',
  ),
  INVALID_MEETING_URL: caller(
    400,
    'FST_ERR_INVALID_MEETING_URL',
    'Bad Request',
    'The meeting link was not understood.',
  ),
  LOGIN_ALREADY_EXISTS: caller(
    409,
    'FST_ERR_LOGIN_CONFLICT',
    'Conflict',
    'The team has a login with this email already.',
  ),
  LOGIN_INVALID: caller(422, 'FST_ERR_LOGIN_VALIDATION', 'Unprocessable Entity', 'The login does not fit.'),
  LOGIN_IN_USE: caller(
    409,
    'FST_ERR_LOGIN_IN_USE',
    'Conflict',
    'A bot uses this login right now. Try again when it has left its meeting.',
  ),
  LOGIN_NOT_FOUND: caller(404, 'FST_ERR_LOGIN_NOT_FOUND', 'Not Found', 'There is no login with this id.'),
  MEET_LOGIN_UNAVAILABLE: caller(409, 'MEET_LOGIN_UNAVAILABLE', 'Conflict', 'No active login is free for this bot.'),
  METHOD_NOT_ALLOWED: caller(
    405,
    'FST_ERR_METHOD_NOT_ALLOWED',
    'Method Not Allowed',
    'This path does not support this method.',
  ),
  NOT_CONFIGURED_YET: caller(
    422,
    'FST_ERR_NOT_CONFIGURED',
    'Unprocessable Entity',
    'This deployment is not set up to do that.',
  ),
  NOT_FOUND: caller(404, 'FST_ERR_NOT_FOUND', 'Not Found', 'There is nothing at this path.'),
  OBJECT_ALREADY_EXISTS: caller(
    409,
    'FST_ERR_OBJECT_ALREADY_EXISTS',
    'Conflict',
    'There is already an object with this key.',
  ),
  OBJECT_CHANGED: caller(
    412,
    'FST_ERR_OBJECT_CHANGED',
    'Precondition Failed',
    'The object was replaced in the meantime. Start again from its beginning.',
  ),
  OBJECT_DIGEST_MISMATCH: caller(
    400,
    'FST_ERR_OBJECT_DIGEST',
    'Bad Request',
    'The content does not have the SHA-256 it was announced with; nothing was stored. Send it again.',
  ),
  OBJECT_NOT_FOUND: caller(404, 'FST_ERR_OBJECT_NOT_FOUND', 'Not Found', 'There is no such object.'),
  PLAN_ALREADY_EXISTS: caller(
    409,
    'FST_ERR_PLAN_ALREADY_EXISTS',
    'Conflict',
    'There is a plan with this name already.',
  ),
  PLAN_NOT_FOUND: caller(404, 'FST_ERR_PLAN_NOT_FOUND', 'Not Found', 'There is no plan with this name.'),
  RANGE_NOT_SATISFIABLE: caller(416, 'FST_ERR_RANGE', 'Range Not Satisfiable', 'The object has no such bytes.'),
  RATE_LIMITED: entry(429, 'FST_ERR_TOO_MANY_REQUESTS', 'Rate Limited', {
    fault: 'caller',
    retryable: true,
    sentence: 'Too many requests in this second for this team.',
  }),
  REQUEST_TIMEOUT: caller(408, 'FST_ERR_REQUEST_TIMEOUT', 'Request Timeout', 'The request did not arrive in time.'),
  SEND_CHAT_MESSAGE_FAILED: entry(500, 'FST_ERR_SEND_CHAT_MESSAGE_FAILED', 'Internal Server Error', {
    fault: 'outside',
    retryable: true,
    sentence: 'The bot tried to send the message and it did not work.',
  }),
  SET_ALPHA_ID_AND_PWD_TOGETHER: caller(
    400,
    'SET_ALPHA_ID_AND_PWD_TOGETHER',
    'Bad Request',
    'Send alpha_sdk_id and alpha_sdk_pwd together, or neither of them.',
  ),
  SIGNED_URL_REJECTED: caller(
    403,
    'FST_ERR_SIGNED_URL',
    'Forbidden',
    'This link is not valid. Request the bot again to get a fresh one.',
  ),
  STORAGE_CONFIG_NOT_FOUND: caller(
    404,
    'FST_ERR_STORAGE_CONFIG_NOT_FOUND',
    'Not Found',
    'The team has no storage configuration; the service stores its recordings itself.',
  ),
  STORAGE_VERIFICATION_FAILED: caller(
    400,
    'FST_ERR_STORAGE_VERIFICATION',
    'Bad Request',
    'The buckets could not be used with these keys.',
  ),
  TEAMS_LOGIN_UNAVAILABLE: caller(409, 'TEAMS_LOGIN_UNAVAILABLE', 'Conflict', 'No active login is free for this bot.'),
  TEAM_ALREADY_EXISTS: caller(
    409,
    'FST_ERR_TEAM_ALREADY_EXISTS',
    'Conflict',
    'There is a team with this name already.',
  ),
  TEAM_NOT_FOUND: caller(404, 'FST_ERR_TEAM_NOT_FOUND', 'Not Found', 'There is no team with this id.'),
  TICKET_GONE: caller(410, 'FST_ERR_TICKET_GONE', 'Gone', 'This launch ticket was already used or has expired.'),
  UNAVAILABLE: entry(503, 'FST_ERR_UNAVAILABLE', 'Service Unavailable', {
    fault: 'service',
    retryable: true,
    sentence: 'A part of the service is not reachable right now. Try again in a moment.',
  }),
  UNSUPPORTED_MEDIA_TYPE: caller(
    415,
    'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    'Unsupported Media Type',
    'Send the body as application/json.',
  ),
  VALIDATION: caller(400, 'FST_ERR_VALIDATION', 'Bad Request', 'The request does not fit the contract.'),
  WEBHOOK_ENDPOINT_LIMIT: caller(
    409,
    'FST_ERR_WEBHOOK_ENDPOINT_LIMIT',
    'Conflict',
    'The team has as many webhook endpoints as it may have. Delete one first.',
  ),
  WEBHOOK_ENDPOINT_NOT_FOUND: caller(
    404,
    'FST_ERR_WEBHOOK_ENDPOINT_NOT_FOUND',
    'Not Found',
    'There is no webhook endpoint with this id.',
  ),
  WEBHOOK_MESSAGE_NOT_FOUND: caller(
    404,
    'FST_ERR_WEBHOOK_MESSAGE_NOT_FOUND',
    'Not Found',
    'There is no webhook message with this id.',
  ),
  WEBHOOK_MESSAGE_REDACTED: caller(
    409,
    'FST_ERR_WEBHOOK_MESSAGE_REDACTED',
    'Conflict',
    "The bot's data was deleted, and with it the content of this message: there is nothing left to send.",
  ),
  WORKSPACE_ALREADY_EXISTS: caller(
    409,
    'FST_ERR_WORKSPACE_CONFLICT',
    'Conflict',
    'The team has a workspace for this domain already.',
  ),
  WORKSPACE_INVALID: caller(422, 'FST_ERR_WORKSPACE_VALIDATION', 'Unprocessable Entity', 'The workspace does not fit.'),
  WORKSPACE_NOT_FOUND: caller(404, 'FST_ERR_WORKSPACE_NOT_FOUND', 'Not Found', 'There is no workspace with this id.'),
} as const satisfies Record<string, CatalogueEntry>;

export type FailureCode = keyof typeof catalogue;
