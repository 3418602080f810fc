// Generated from openapi/public.v2 by `npm run generate` in the Rapporteur repository. Change the contract, not this file.
import type { All, OperationResponse, CallOptions, Input, OperationFacts } from '../operation-types.ts';
import type { webhooks } from './types.ts';

export const operations = {
  listBots: { method: 'GET', path: '/v2/bots', query: ['limit', 'cursor', 'bot_name', 'participant_name', 'bot_id', 'meeting_url', 'created_after', 'created_before', 'ended_after', 'extra', 'meeting_platform', 'status'], keyed: false, onlyData: false },
  createBot: { method: 'POST', path: '/v2/bots', query: [], keyed: true, onlyData: true },
  createBots: { method: 'POST', path: '/v2/bots/batch', query: [], keyed: true, onlyData: false },
  preflightBot: { method: 'POST', path: '/v2/bots/preflight', query: [], keyed: true, onlyData: true },
  listScheduledBots: { method: 'GET', path: '/v2/bots/scheduled', query: ['limit', 'cursor', 'bot_id', 'bot_name', 'meeting_url', 'scheduled_after', 'scheduled_before', 'status', 'meeting_platform', 'extra'], keyed: false, onlyData: false },
  scheduleBot: { method: 'POST', path: '/v2/bots/scheduled', query: [], keyed: true, onlyData: true },
  scheduleBots: { method: 'POST', path: '/v2/bots/scheduled/batch', query: [], keyed: true, onlyData: false },
  searchTranscripts: { method: 'GET', path: '/v2/transcripts/search', query: ['q', 'limit', 'cursor'], keyed: false, onlyData: false },
  listCalendars: { method: 'GET', path: '/v2/calendars', query: ['limit', 'cursor', 'account_email', 'calendar_platform', 'status'], keyed: false, onlyData: false },
  createCalendar: { method: 'POST', path: '/v2/calendars', query: [], keyed: true, onlyData: true },
  listRawCalendars: { method: 'POST', path: '/v2/calendars/list-raw', query: [], keyed: true, onlyData: true },
  listCalendarProviders: { method: 'GET', path: '/v2/calendar-providers', query: [], keyed: false, onlyData: true },
  startCalendarConsent: { method: 'POST', path: '/v2/calendar-consents', query: [], keyed: true, onlyData: true },
  redeemCalendarConsent: { method: 'POST', path: '/v2/calendar-consents/redeem', query: [], keyed: true, onlyData: true },
  getCalendarSettings: { method: 'GET', path: '/v2/calendar-settings', query: [], keyed: false, onlyData: true },
  setCalendarSettings: { method: 'PUT', path: '/v2/calendar-settings', query: [], keyed: false, onlyData: true },
  listCalendarRules: { method: 'GET', path: '/v2/calendar-rules', query: [], keyed: false, onlyData: true },
  createCalendarRule: { method: 'POST', path: '/v2/calendar-rules', query: [], keyed: true, onlyData: true },
  dryRunCalendarRule: { method: 'POST', path: '/v2/calendar-rules/dry-run', query: [], keyed: true, onlyData: true },
  listWebhookEndpoints: { method: 'GET', path: '/v2/webhooks/endpoints', query: [], keyed: false, onlyData: true },
  createWebhookEndpoint: { method: 'POST', path: '/v2/webhooks/endpoints', query: [], keyed: true, onlyData: true },
  listNewWebhookMessages: { method: 'GET', path: '/v2/webhooks/messages', query: ['after', 'wait'], keyed: false, onlyData: false },
  listWebhookEventTypes: { method: 'GET', path: '/v2/webhooks/event-types', query: [], keyed: false, onlyData: true },
  listApiKeys: { method: 'GET', path: '/v2/api-keys', query: [], keyed: false, onlyData: true },
  createApiKey: { method: 'POST', path: '/v2/api-keys', query: [], keyed: true, onlyData: true },
  listAuditLog: { method: 'GET', path: '/v2/audit-log', query: ['limit', 'cursor', 'action', 'key_id', 'user', 'after', 'before'], keyed: false, onlyData: false },
  listDailyUsage: { method: 'GET', path: '/v2/usage', query: ['ended_after', 'ended_before'], keyed: false, onlyData: true },
  listBotUsage: { method: 'GET', path: '/v2/usage/bots', query: ['limit', 'cursor', 'ended_after', 'ended_before'], keyed: false, onlyData: false },
  listZoomCredentials: { method: 'GET', path: '/v2/zoom-credentials', query: ['limit', 'cursor', 'name', 'zoom_email', 'zoom_display_name', 'zoom_user_id', 'credential_type', 'state', 'extra'], keyed: false, onlyData: false },
  createZoomCredential: { method: 'POST', path: '/v2/zoom-credentials', query: [], keyed: true, onlyData: true },
  listMeetWorkspaces: { method: 'GET', path: '/v2/meet-workspaces', query: ['extra'], keyed: false, onlyData: true },
  createMeetWorkspace: { method: 'POST', path: '/v2/meet-workspaces', query: [], keyed: true, onlyData: true },
  listMeetLogins: { method: 'GET', path: '/v2/meet-logins', query: ['extra'], keyed: false, onlyData: true },
  createMeetLogin: { method: 'POST', path: '/v2/meet-logins', query: [], keyed: true, onlyData: true },
  getMeetLoginUtilization: { method: 'GET', path: '/v2/meet-logins/utilization', query: [], keyed: false, onlyData: true },
  listTeamsWorkspaces: { method: 'GET', path: '/v2/teams-workspaces', query: ['extra'], keyed: false, onlyData: true },
  createTeamsWorkspace: { method: 'POST', path: '/v2/teams-workspaces', query: [], keyed: true, onlyData: true },
  listTeamsLogins: { method: 'GET', path: '/v2/teams-logins', query: ['extra'], keyed: false, onlyData: true },
  createTeamsLogin: { method: 'POST', path: '/v2/teams-logins', query: [], keyed: true, onlyData: true },
  getTeamsLoginUtilization: { method: 'GET', path: '/v2/teams-logins/utilization', query: [], keyed: false, onlyData: true },
  getStorageConfig: { method: 'GET', path: '/v2/storage-config', query: [], keyed: false, onlyData: true },
  putStorageConfig: { method: 'PUT', path: '/v2/storage-config', query: [], keyed: false, onlyData: true },
  deleteStorageConfig: { method: 'DELETE', path: '/v2/storage-config', query: [], keyed: false, onlyData: true },
  testStorageConfig: { method: 'POST', path: '/v2/storage-config/test', query: [], keyed: true, onlyData: true },
  getRetentionSettings: { method: 'GET', path: '/v2/retention-settings', query: [], keyed: false, onlyData: true },
  setRetentionSettings: { method: 'PUT', path: '/v2/retention-settings', query: [], keyed: false, onlyData: true },
  getScheduledBot: { method: 'GET', path: '/v2/bots/scheduled/{bot_id}', query: [], keyed: false, onlyData: true },
  updateScheduledBot: { method: 'PATCH', path: '/v2/bots/scheduled/{bot_id}', query: [], keyed: false, onlyData: true },
  deleteScheduledBot: { method: 'DELETE', path: '/v2/bots/scheduled/{bot_id}', query: [], keyed: false, onlyData: true },
  getBot: { method: 'GET', path: '/v2/bots/{bot_id}', query: [], keyed: false, onlyData: true },
  getBotStatus: { method: 'GET', path: '/v2/bots/{bot_id}/status', query: [], keyed: false, onlyData: true },
  getBotLive: { method: 'GET', path: '/v2/bots/{bot_id}/live', query: [], keyed: false, onlyData: true },
  getBotTranscript: { method: 'GET', path: '/v2/bots/{bot_id}/transcript', query: ['format'], keyed: false, onlyData: true },
  listBotScreenshots: { method: 'GET', path: '/v2/bots/{bot_id}/screenshots', query: ['limit', 'cursor'], keyed: false, onlyData: false },
  leaveBot: { method: 'POST', path: '/v2/bots/{bot_id}/leave', query: [], keyed: true, onlyData: true },
  pauseBotRecording: { method: 'POST', path: '/v2/bots/{bot_id}/pause-recording', query: [], keyed: true, onlyData: true },
  resumeBotRecording: { method: 'POST', path: '/v2/bots/{bot_id}/resume-recording', query: [], keyed: true, onlyData: true },
  sendBotChatMessage: { method: 'POST', path: '/v2/bots/{bot_id}/send-chat-message', query: [], keyed: true, onlyData: true },
  updateBotConfig: { method: 'PATCH', path: '/v2/bots/{bot_id}/update-config', query: [], keyed: false, onlyData: true },
  retranscribeBot: { method: 'POST', path: '/v2/bots/{bot_id}/retranscribe', query: [], keyed: true, onlyData: true },
  resendBotWebhook: { method: 'POST', path: '/v2/bots/{bot_id}/resend-webhook', query: [], keyed: true, onlyData: true },
  retryBotCallback: { method: 'POST', path: '/v2/bots/{bot_id}/retry-callback', query: [], keyed: true, onlyData: true },
  deleteBotData: { method: 'DELETE', path: '/v2/bots/{bot_id}/delete-data', query: ['delete_from_provider', 'delete_transcription'], keyed: false, onlyData: true },
  getCalendar: { method: 'GET', path: '/v2/calendars/{calendar_id}', query: [], keyed: false, onlyData: true },
  updateCalendar: { method: 'PATCH', path: '/v2/calendars/{calendar_id}', query: [], keyed: false, onlyData: true },
  deleteCalendar: { method: 'DELETE', path: '/v2/calendars/{calendar_id}', query: [], keyed: false, onlyData: true },
  syncCalendar: { method: 'POST', path: '/v2/calendars/{calendar_id}/sync', query: [], keyed: true, onlyData: true },
  resubscribeCalendar: { method: 'POST', path: '/v2/calendars/{calendar_id}/resubscribe', query: [], keyed: true, onlyData: true },
  listCalendarEvents: { method: 'GET', path: '/v2/calendars/{calendar_id}/events', query: ['limit', 'cursor', 'start_date', 'end_date', 'status', 'show_cancelled'], keyed: false, onlyData: false },
  listCalendarSeries: { method: 'GET', path: '/v2/calendars/{calendar_id}/series', query: ['limit', 'cursor', 'event_type', 'show_cancelled'], keyed: false, onlyData: false },
  createCalendarBots: { method: 'POST', path: '/v2/calendars/{calendar_id}/bots', query: [], keyed: true, onlyData: false },
  updateCalendarBots: { method: 'PATCH', path: '/v2/calendars/{calendar_id}/bots', query: [], keyed: false, onlyData: false },
  deleteCalendarBots: { method: 'DELETE', path: '/v2/calendars/{calendar_id}/bots', query: [], keyed: false, onlyData: false },
  connectConsentedCalendar: { method: 'POST', path: '/v2/calendar-consents/{consent_id}/connect', query: [], keyed: true, onlyData: true },
  updateCalendarRule: { method: 'PATCH', path: '/v2/calendar-rules/{rule_id}', query: [], keyed: false, onlyData: true },
  deleteCalendarRule: { method: 'DELETE', path: '/v2/calendar-rules/{rule_id}', query: [], keyed: false, onlyData: true },
  getWebhookEndpoint: { method: 'GET', path: '/v2/webhooks/endpoints/{endpoint_id}', query: [], keyed: false, onlyData: true },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v2/webhooks/endpoints/{endpoint_id}', query: [], keyed: false, onlyData: true },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v2/webhooks/endpoints/{endpoint_id}', query: [], keyed: false, onlyData: true },
  rotateWebhookSecret: { method: 'POST', path: '/v2/webhooks/endpoints/{endpoint_id}/rotate-secret', query: [], keyed: true, onlyData: true },
  testWebhookEndpoint: { method: 'POST', path: '/v2/webhooks/endpoints/{endpoint_id}/test', query: [], keyed: true, onlyData: true },
  listWebhookMessages: { method: 'GET', path: '/v2/webhooks/endpoints/{endpoint_id}/messages', query: ['limit', 'cursor', 'state', 'bot_id'], keyed: false, onlyData: false },
  listWebhookAttempts: { method: 'GET', path: '/v2/webhooks/messages/{message_id}/attempts', query: ['endpoint_id'], keyed: false, onlyData: true },
  resendWebhookMessage: { method: 'POST', path: '/v2/webhooks/messages/{message_id}/resend', query: ['endpoint_id', 'callback_id'], keyed: true, onlyData: true },
  listBotCallbacks: { method: 'GET', path: '/v2/webhooks/callbacks/{bot_id}', query: [], keyed: false, onlyData: true },
  revokeApiKey: { method: 'DELETE', path: '/v2/api-keys/{key_id}', query: [], keyed: false, onlyData: true },
  getZoomCredential: { method: 'GET', path: '/v2/zoom-credentials/{credential_id}', query: [], keyed: false, onlyData: true },
  updateZoomCredential: { method: 'PATCH', path: '/v2/zoom-credentials/{credential_id}', query: [], keyed: false, onlyData: true },
  deleteZoomCredential: { method: 'DELETE', path: '/v2/zoom-credentials/{credential_id}', query: [], keyed: false, onlyData: true },
  getMeetWorkspace: { method: 'GET', path: '/v2/meet-workspaces/{workspace_id}', query: [], keyed: false, onlyData: true },
  updateMeetWorkspace: { method: 'PATCH', path: '/v2/meet-workspaces/{workspace_id}', query: [], keyed: false, onlyData: true },
  deleteMeetWorkspace: { method: 'DELETE', path: '/v2/meet-workspaces/{workspace_id}', query: [], keyed: false, onlyData: true },
  verifyMeetWorkspace: { method: 'POST', path: '/v2/meet-workspaces/{workspace_id}/verify', query: [], keyed: true, onlyData: true },
  getMeetLogin: { method: 'GET', path: '/v2/meet-logins/{credential_id}', query: [], keyed: false, onlyData: true },
  updateMeetLogin: { method: 'PATCH', path: '/v2/meet-logins/{credential_id}', query: [], keyed: false, onlyData: true },
  deleteMeetLogin: { method: 'DELETE', path: '/v2/meet-logins/{credential_id}', query: [], keyed: false, onlyData: true },
  getTeamsWorkspace: { method: 'GET', path: '/v2/teams-workspaces/{workspace_id}', query: [], keyed: false, onlyData: true },
  updateTeamsWorkspace: { method: 'PATCH', path: '/v2/teams-workspaces/{workspace_id}', query: [], keyed: false, onlyData: true },
  deleteTeamsWorkspace: { method: 'DELETE', path: '/v2/teams-workspaces/{workspace_id}', query: [], keyed: false, onlyData: true },
  getTeamsLogin: { method: 'GET', path: '/v2/teams-logins/{credential_id}', query: [], keyed: false, onlyData: true },
  updateTeamsLogin: { method: 'PATCH', path: '/v2/teams-logins/{credential_id}', query: [], keyed: false, onlyData: true },
  deleteTeamsLogin: { method: 'DELETE', path: '/v2/teams-logins/{credential_id}', query: [], keyed: false, onlyData: true },
  getCalendarEvent: { method: 'GET', path: '/v2/calendars/{calendar_id}/events/{event_id}', query: [], keyed: false, onlyData: true },
} as const satisfies Record<string, OperationFacts>;

/** One method per operation of the API. */
export interface Operations {
  /**
   * List bots: `GET /v2/bots`.
   *
   * The bots that have started, the last started first; a scheduled bot is in the list from its start on, before that in
   * GET /v2/bots/scheduled. All filters must match. Page with `cursor` (onward) and `prev_cursor` (back); keep the
   * filters the same while paging.
   */
  listBots(input?: Input<'listBots'>, options?: CallOptions): Promise<OperationResponse<'listBots'>>;
  /**
   * Send a bot to a meeting: `POST /v2/bots`.
   *
   * The bot leaves for the meeting at once. The answer comes as soon as the bot is queued; follow it with
   * GET /v2/bots/{bot_id}/status, or with webhooks.
   *
   * Checked in this order: the key (403); the team's rate (429); the request fits this document (400); the link is a meeting of Zoom,
   * Google Meet or Microsoft Teams (400 FST_ERR_INVALID_MEETING_URL); the deployment can do what is asked
   * (422 FST_ERR_NOT_CONFIGURED names the field; nothing is accepted and then dropped); the daily cap (429
   * FST_ERR_DAILY_BOT_CAP_REACHED); tokens (402); duplicates (409 FST_ERR_BOT_ALREADY_EXISTS). A refused request leaves
   * nothing behind.
   */
  createBot(input: Input<'createBot'>, options?: CallOptions): Promise<OperationResponse<'createBot'>>;
  /**
   * Send up to 100 bots: `POST /v2/bots/batch`.
   *
   * Send 1 to 100 items. They are taken one after another and each succeeds or fails by itself: the answer is 201 even when
   * every one failed, with what was created in `data` and what was not in `errors`, each with the item's `index`. An item
   * that does not fit the schema `CreateBot` is such an error too (VALIDATION_ERROR), not a 400 for the whole; 400 means
   * that the body is no list of 1 to 100 items.
   *
   * The daily cap, tokens and duplicates are checked per item. When a part of the service is away and nothing was created, the whole request answers 503 and can be sent again as it is.
   * The body may have up to 5 MiB.
   */
  createBots(input: Input<'createBots'>, options?: CallOptions): Promise<OperationResponse<'createBots'>>;
  /**
   * See what creating a bot would meet: `POST /v2/bots/preflight`.
   *
   * Takes the body of POST /v2/bots, creates nothing and reserves nothing. Answers 200 whether a bot could be created or
   * not: `ready` says so, `checks` says why, `not_checked` says what it could not look at. Between this answer and a creation things may change.
   */
  preflightBot(input: Input<'preflightBot'>, options?: CallOptions): Promise<OperationResponse<'preflightBot'>>;
  /**
   * List scheduled bots: `GET /v2/bots/scheduled`.
   *
   * The earliest `join_at` first. All filters must match. Page with `cursor` (onward) and `prev_cursor` (back).
   */
  listScheduledBots(input?: Input<'listScheduledBots'>, options?: CallOptions): Promise<OperationResponse<'listScheduledBots'>>;
  /**
   * Schedule a bot: `POST /v2/bots/scheduled`.
   *
   * The same fields as POST /v2/bots and the time to join. The bot keeps its id when it runs. Daily cap, tokens and
   * duplicates are checked when it runs, not now; a failure then arrives as the event `bot.failed`. What this deployment
   * cannot do is refused now (422).
   */
  scheduleBot(input: Input<'scheduleBot'>, options?: CallOptions): Promise<OperationResponse<'scheduleBot'>>;
  /**
   * Schedule up to 100 bots: `POST /v2/bots/scheduled/batch`.
   *
   * Send 1 to 100 items. They are taken one after another and each succeeds or fails by itself: the answer is 201 even when
   * every one failed, with what was created in `data` and what was not in `errors`, each with the item's `index`. An item
   * that does not fit the schema `ScheduleBot` is such an error too (VALIDATION_ERROR), not a 400 for the whole; 400 means
   * that the body is no list of 1 to 100 items.
   *
   * When a part of the service is away and nothing was created, the whole request answers 503 and can be sent again as it is.
   * The body may have up to 5 MiB.
   */
  scheduleBots(input: Input<'scheduleBots'>, options?: CallOptions): Promise<OperationResponse<'scheduleBots'>>;
  /**
   * Search the words of transcripts: `GET /v2/transcripts/search`.
   *
   * The team's transcripts that have the words, those of the newest recordings first, with the places where they were said. All words
   * must be in the transcript. `"several words"` finds them in this order in one utterance, `-word` leaves out transcripts with the word, `begin*`
   * finds words that begin so. Case and accents do not matter; words are not reduced to their stems. Languages without spaces between words
   * (Chinese, Japanese, Thai and others) and Korean are found by any two characters or more in a row. A page may hold fewer transcripts than `limit`: read on
   * while `cursor` is not null. A transcript is found from the moment it is stored; deleting the data of a bot removes its words.
   */
  searchTranscripts(input: Input<'searchTranscripts'>, options?: CallOptions): Promise<OperationResponse<'searchTranscripts'>>;
  /**
   * List calendars: `GET /v2/calendars`.
   *
   * Newest first. All filters must match.
   */
  listCalendars(input?: Input<'listCalendars'>, options?: CallOptions): Promise<OperationResponse<'listCalendars'>>;
  /**
   * Connect a calendar: `POST /v2/calendars`.
   *
   * Connects one calendar of an account, opens its push channel and begins with a full sync. Credentials that the provider does not
   * accept are 401 (FST_ERR_CALENDAR_CREDENTIALS); a calendar that the team has connected already is 409.
   */
  createCalendar(input: Input<'createCalendar'>, options?: CallOptions): Promise<OperationResponse<'createCalendar'>>;
  /**
   * List an account's calendars: `POST /v2/calendars/list-raw`.
   *
   * The calendars that these credentials can read, before one of them is connected. Nothing is stored.
   */
  listRawCalendars(input: Input<'listRawCalendars'>, options?: CallOptions): Promise<OperationResponse<'listRawCalendars'>>;
  /**
   * List calendar providers: `GET /v2/calendar-providers`.
   *
   * Which providers can be connected by consent, and what the owner of an account is asked for.
   */
  listCalendarProviders(input?: Input<'listCalendarProviders'>, options?: CallOptions): Promise<OperationResponse<'listCalendarProviders'>>;
  /**
   * Begin to connect a calendar by consent: `POST /v2/calendar-consents`.
   *
   * Returns the page of the provider on which the owner of the account consents. The operator's OAuth client is used, so no credentials are
   * sent. The provider then redirects the browser to the console, which redeems the consent. Only the user or API key that began it can
   * redeem it. 409 (`FST_ERR_CALENDAR_CONSENT_UNAVAILABLE`): the operator has configured no client of this provider.
   */
  startCalendarConsent(input: Input<'startCalendarConsent'>, options?: CallOptions): Promise<OperationResponse<'startCalendarConsent'>>;
  /**
   * Redeem a consent: `POST /v2/calendar-consents/redeem`.
   *
   * Exchanges what the provider sent to the redirect address and returns the calendars of the account. A `state` works once, within ten
   * minutes, and only for the user or API key that began. Anything else is 404 (`FST_ERR_CALENDAR_CONSENT`).
   */
  redeemCalendarConsent(input: Input<'redeemCalendarConsent'>, options?: CallOptions): Promise<OperationResponse<'redeemCalendarConsent'>>;
  /**
   * Read calendar settings: `GET /v2/calendar-settings`.
   *
   * What the rules of the team judge by, in all of its calendars.
   */
  getCalendarSettings(input?: Input<'getCalendarSettings'>, options?: CallOptions): Promise<OperationResponse<'getCalendarSettings'>>;
  /**
   * Set calendar settings: `PUT /v2/calendar-settings`.
   *
   * Replaces them. Bots of rules follow at once.
   */
  setCalendarSettings(input: Input<'setCalendarSettings'>, options?: CallOptions): Promise<OperationResponse<'setCalendarSettings'>>;
  /**
   * List rules: `GET /v2/calendar-rules`.
   *
   * The oldest first, all of them.
   */
  listCalendarRules(input?: Input<'listCalendarRules'>, options?: CallOptions): Promise<OperationResponse<'listCalendarRules'>>;
  /**
   * Add a rule: `POST /v2/calendar-rules`.
   *
   * Gives every event that matches a bot, in all calendars of the team. What was said of an event or its series comes before rules; the
   * oldest rule that matches decides. Rules never match private events.
   */
  createCalendarRule(input: Input<'createCalendarRule'>, options?: CallOptions): Promise<OperationResponse<'createCalendarRule'>>;
  /**
   * Try a rule: `POST /v2/calendar-rules/dry-run`.
   *
   * Which events of the next two weeks these conditions match, and why; at most 500. Nothing is stored.
   */
  dryRunCalendarRule(input: Input<'dryRunCalendarRule'>, options?: CallOptions): Promise<OperationResponse<'dryRunCalendarRule'>>;
  /**
   * List webhook endpoints: `GET /v2/webhooks/endpoints`.
   *
   * All of the team's, oldest first.
   */
  listWebhookEndpoints(input?: Input<'listWebhookEndpoints'>, options?: CallOptions): Promise<OperationResponse<'listWebhookEndpoints'>>;
  /**
   * Add a webhook endpoint: `POST /v2/webhooks/endpoints`.
   *
   * Deliveries start with the next event. The signing secret is shown in this answer only.
   * A team has at most 50 endpoints (FST_ERR_WEBHOOK_ENDPOINT_LIMIT).
   */
  createWebhookEndpoint(input: Input<'createWebhookEndpoint'>, options?: CallOptions): Promise<OperationResponse<'createWebhookEndpoint'>>;
  /**
   * Wait for new messages of all events: `GET /v2/webhooks/messages`.
   *
   * For development: a program behind a firewall reads here what an endpoint would receive. Without `after` it returns no message, only
   * the `after` from which to go on. While calls follow one another within 2 minutes, every event of the team becomes a message, with or
   * without an endpoint. Messages come in the order in which they were stored, at most 100 at a time.
   */
  listNewWebhookMessages(input?: Input<'listNewWebhookMessages'>, options?: CallOptions): Promise<OperationResponse<'listNewWebhookMessages'>>;
  /**
   * List the kinds of events: `GET /v2/webhooks/event-types`.
   *
   * What an endpoint can ask for.
   */
  listWebhookEventTypes(input?: Input<'listWebhookEventTypes'>, options?: CallOptions): Promise<OperationResponse<'listWebhookEventTypes'>>;
  /**
   * List API keys: `GET /v2/api-keys`.
   *
   * The team's 1,000 newest, newest first, revoked and expired ones included.
   */
  listApiKeys(input?: Input<'listApiKeys'>, options?: CallOptions): Promise<OperationResponse<'listApiKeys'>>;
  /**
   * Create an API key: `POST /v2/api-keys`.
   *
   * The whole key is in this response only. A team has at most 100 keys that are neither revoked nor expired (FST_ERR_API_KEY_LIMIT).
   */
  createApiKey(input: Input<'createApiKey'>, options?: CallOptions): Promise<OperationResponse<'createApiKey'>>;
  /**
   * Read the audit log: `GET /v2/audit-log`.
   *
   * Who changed or read what of the team, newest first: every change by an API key, every read of one object (a repeated read once in
   * ten minutes), and every change that an operator made to the team. Entries appear within a second and are kept for 13 months. All filters must match; keep them the same while paging.
   */
  listAuditLog(input?: Input<'listAuditLog'>, options?: CallOptions): Promise<OperationResponse<'listAuditLog'>>;
  /**
   * Read the resource usage by day: `GET /v2/usage`.
   *
   * What the team's bots used, by the day on which they ended, oldest first. Without limits: the last 31 days.
   */
  listDailyUsage(input?: Input<'listDailyUsage'>, options?: CallOptions): Promise<OperationResponse<'listDailyUsage'>>;
  /**
   * Read the resource usage of bots: `GET /v2/usage/bots`.
   *
   * What each of the team's bots that ended has used, newest end first.
   */
  listBotUsage(input?: Input<'listBotUsage'>, options?: CallOptions): Promise<OperationResponse<'listBotUsage'>>;
  /**
   * List Zoom credentials: `GET /v2/zoom-credentials`.
   *
   * All of them, newest first. All filters must match. With `limit` they come in pages: `cursor` (onward) and `prev_cursor` (back).
   */
  listZoomCredentials(input?: Input<'listZoomCredentials'>, options?: CallOptions): Promise<OperationResponse<'listZoomCredentials'>>;
  /**
   * Store a Zoom credential: `POST /v2/zoom-credentials`.
   *
   * Keeps a Zoom app and, with an authorization code, the consent of one of its users: the code is exchanged at once, and the
   * credential knows whom it speaks for. Bots then join with `alpha_config.credential_id` or `credential_user_id`. A code that Zoom
   * does not take is 422 (FST_ERR_CREDENTIAL_REFUSED); nothing is stored then.
   */
  createZoomCredential(input: Input<'createZoomCredential'>, options?: CallOptions): Promise<OperationResponse<'createZoomCredential'>>;
  /**
   * List Meet workspaces: `GET /v2/meet-workspaces`.
   *
   * All of them, newest first.
   */
  listMeetWorkspaces(input?: Input<'listMeetWorkspaces'>, options?: CallOptions): Promise<OperationResponse<'listMeetWorkspaces'>>;
  /**
   * Store a Meet workspace: `POST /v2/meet-workspaces`.
   *
   * The Google Workspace domain whose users bots sign in as. The domain trusts this service as its SAML identity provider: upload
   * `cert_pem` of the answer to an SSO profile of the domain. Give either `generate_keypair` true, or `cert_pem` together with
   * `private_key_pem`; anything else is 422 (FST_ERR_WORKSPACE_VALIDATION), and so is a pair that does not belong together. One
   * workspace per domain and team: a second one is 409 (FST_ERR_WORKSPACE_CONFLICT).
   */
  createMeetWorkspace(input: Input<'createMeetWorkspace'>, options?: CallOptions): Promise<OperationResponse<'createMeetWorkspace'>>;
  /**
   * List Meet logins: `GET /v2/meet-logins`.
   *
   * All of them, newest first.
   */
  listMeetLogins(input?: Input<'listMeetLogins'>, options?: CallOptions): Promise<OperationResponse<'listMeetLogins'>>;
  /**
   * Store a Meet login: `POST /v2/meet-logins`.
   *
   * A user of the workspace's domain that bots sign in as. `email` and `email_group` belong to the domain or a subdomain of it,
   * otherwise 422 (FST_ERR_LOGIN_VALIDATION). 404 when the team has no such workspace, 409 (FST_ERR_LOGIN_CONFLICT) when the team has
   * the email already. Each login carries up to 20 bots at the same time unless the operator configured another number.
   */
  createMeetLogin(input: Input<'createMeetLogin'>, options?: CallOptions): Promise<OperationResponse<'createMeetLogin'>>;
  /**
   * Read how many Meet logins are in use: `GET /v2/meet-logins/utilization`.
   *
   * Counts over all logins of the team, and per email group.
   */
  getMeetLoginUtilization(input?: Input<'getMeetLoginUtilization'>, options?: CallOptions): Promise<OperationResponse<'getMeetLoginUtilization'>>;
  /**
   * List Teams workspaces: `GET /v2/teams-workspaces`.
   *
   * All of them, newest first.
   */
  listTeamsWorkspaces(input?: Input<'listTeamsWorkspaces'>, options?: CallOptions): Promise<OperationResponse<'listTeamsWorkspaces'>>;
  /**
   * Store a Teams workspace: `POST /v2/teams-workspaces`.
   *
   * The Microsoft 365 tenant whose users bots sign in as. One workspace per domain and team: a second one is 409
   * (FST_ERR_WORKSPACE_CONFLICT).
   */
  createTeamsWorkspace(input: Input<'createTeamsWorkspace'>, options?: CallOptions): Promise<OperationResponse<'createTeamsWorkspace'>>;
  /**
   * List Teams logins: `GET /v2/teams-logins`.
   *
   * All of them, newest first.
   */
  listTeamsLogins(input?: Input<'listTeamsLogins'>, options?: CallOptions): Promise<OperationResponse<'listTeamsLogins'>>;
  /**
   * Store a Teams login: `POST /v2/teams-logins`.
   *
   * A user of the tenant that bots sign in as. The account must be able to sign in with its password alone. The password is
   * stored encrypted and never returned. 404 when the team has no such workspace, 409 (FST_ERR_LOGIN_CONFLICT) when the team has the
   * email already. Each login carries up to 20 bots at the same time unless the operator configured another number.
   */
  createTeamsLogin(input: Input<'createTeamsLogin'>, options?: CallOptions): Promise<OperationResponse<'createTeamsLogin'>>;
  /**
   * Read how many Teams logins are in use: `GET /v2/teams-logins/utilization`.
   *
   * Counts over all logins of the team, and per email group.
   */
  getTeamsLoginUtilization(input?: Input<'getTeamsLoginUtilization'>, options?: CallOptions): Promise<OperationResponse<'getTeamsLoginUtilization'>>;
  /**
   * Read the team's storage configuration: `GET /v2/storage-config`.
   *
   * Without its secrets. 404 when there is none: the service then stores artifacts itself.
   */
  getStorageConfig(input?: Input<'getStorageConfig'>, options?: CallOptions): Promise<OperationResponse<'getStorageConfig'>>;
  /**
   * Store recordings in the team's own buckets: `PUT /v2/storage-config`.
   *
   * Replaces the team's storage configuration for new bots; a bot keeps the configuration that it was written to, from its launch on.
   * Before it is accepted, the ingest key writes a marker object into each bucket and the service key reads, lists, writes and deletes
   * it. A step that fails is 400 (FST_ERR_STORAGE_VERIFICATION) with the reason, and the configuration before stays as it is. The
   * three buckets may be one: keys are prefixed with the bot id.
   */
  putStorageConfig(input: Input<'putStorageConfig'>, options?: CallOptions): Promise<OperationResponse<'putStorageConfig'>>;
  /**
   * Let the service store recordings again: `DELETE /v2/storage-config`.
   *
   * For new bots. What is in the team's buckets stays there, and the links of earlier bots keep working.
   */
  deleteStorageConfig(input?: Input<'deleteStorageConfig'>, options?: CallOptions): Promise<OperationResponse<'deleteStorageConfig'>>;
  /**
   * Check the access to the team's buckets: `POST /v2/storage-config/test`.
   *
   * Runs the access check of PUT again (write, read back, delete a marker in each bucket) and records the result.
   */
  testStorageConfig(input?: Input<'testStorageConfig'>, options?: CallOptions): Promise<OperationResponse<'testStorageConfig'>>;
  /**
   * Read how long data is kept: `GET /v2/retention-settings`.
   *
   * The retention of the team. When the data of one bot is deleted is `artifacts_expire_at` of its details.
   */
  getRetentionSettings(input?: Input<'getRetentionSettings'>, options?: CallOptions): Promise<OperationResponse<'getRetentionSettings'>>;
  /**
   * Set how long data is kept: `PUT /v2/retention-settings`.
   *
   * At most as long as the team's plan allows; more is refused (400). It applies to all bots of the team, also to those that have ended:
   * a shorter time deletes data that is older within minutes, for good.
   */
  setRetentionSettings(input: Input<'setRetentionSettings'>, options?: CallOptions): Promise<OperationResponse<'setRetentionSettings'>>;
  /**
   * Read a scheduled bot: `GET /v2/bots/scheduled/{bot_id}`.
   *
   * What the bot was scheduled with. A direct `alpha_config.obf_token` and provider keys are never shown. Once it runs, read
   * it at GET /v2/bots/{bot_id} as well: the id is the same.
   */
  getScheduledBot(input: Input<'getScheduledBot'>, options?: CallOptions): Promise<OperationResponse<'getScheduledBot'>>;
  /**
   * Change a scheduled bot: `PATCH /v2/bots/scheduled/{bot_id}`.
   *
   * Only while it is `scheduled` and until 4 minutes before its `join_at`; then 409. Only the members that are given change.
   * A member that is given replaces the former value as a whole, objects and `extra` included; what is left out inside a
   * given object gets its default. The result is checked like a new scheduled bot.
   */
  updateScheduledBot(input: Input<'updateScheduledBot'>, options?: CallOptions): Promise<OperationResponse<'updateScheduledBot'>>;
  /**
   * Cancel a scheduled bot: `DELETE /v2/bots/scheduled/{bot_id}`.
   *
   * Before it runs, the bot becomes `cancelled`. Once it runs, this is the same as POST /v2/bots/{bot_id}/leave: before the
   * recording has started it ends with EXITING_MEETING_BEFORE_RECORD. 409 when it is cancelled, completed or failed.
   */
  deleteScheduledBot(input: Input<'deleteScheduledBot'>, options?: CallOptions): Promise<OperationResponse<'deleteScheduledBot'>>;
  /**
   * Read a bot's details and artifact links: `GET /v2/bots/{bot_id}`.
   *
   * Artifact links are signed anew with every call and valid for 4 hours.
   */
  getBot(input: Input<'getBot'>, options?: CallOptions): Promise<OperationResponse<'getBot'>>;
  /**
   * Read only a bot's status: `GET /v2/bots/{bot_id}/status`.
   *
   * Cheaper than the details, for polling.
   */
  getBotStatus(input: Input<'getBotStatus'>, options?: CallOptions): Promise<OperationResponse<'getBotStatus'>>;
  /**
   * See what a bot sees now: `GET /v2/bots/{bot_id}/live`.
   *
   * Speakers, the last lines of captions and chat, and a screenshot, from the bot itself; nothing is stored. Poll it every few seconds while
   * a user watches: screenshots are shared by all requests of 5 seconds. Empty while the recording is paused. 409
   * (`FST_ERR_BOT_STATUS`): the bot is not in its meeting. 503: it did not respond within 6 seconds.
   */
  getBotLive(input: Input<'getBotLive'>, options?: CallOptions): Promise<OperationResponse<'getBotLive'>>;
  /**
   * Read what was said: `GET /v2/bots/{bot_id}/transcript`.
   *
   * The newest transcript of the bot. With `format` text, vtt or srt the response is the text itself. 409 (`FST_ERR_BOT_STATUS`): there is none;
   * `message` states why: it is not written yet, none was wanted, the transcription failed, or the data was deleted.
   */
  getBotTranscript(input: Input<'getBotTranscript'>, options?: CallOptions): Promise<OperationResponse<'getBotTranscript'>>;
  /**
   * List what a bot saw while joining: `GET /v2/bots/{bot_id}/screenshots`.
   *
   * Pictures of the meeting page, oldest first, each with a link that works for 4 hours. Google Meet and Microsoft Teams;
   * none with recording_mode audio_only and none once the bot's data is deleted.
   */
  listBotScreenshots(input: Input<'listBotScreenshots'>, options?: CallOptions): Promise<OperationResponse<'listBotScreenshots'>>;
  /**
   * Make a bot leave its meeting: `POST /v2/bots/{bot_id}/leave`.
   *
   * Before the recording has started the bot ends with EXITING_MEETING_BEFORE_RECORD and costs no tokens; later it ends
   * as completed with API_REQUEST. A scheduled bot that has not run yet is cancelled. Refused with 409 once the bot is
   * completed or failed.
   */
  leaveBot(input: Input<'leaveBot'>, options?: CallOptions): Promise<OperationResponse<'leaveBot'>>;
  /**
   * Pause a recording: `POST /v2/bots/{bot_id}/pause-recording`.
   *
   * The bot stays in the meeting and records nothing until the recording is resumed. The paused span is cut out and the
   * times inside the artifacts stay continuous; streaming pauses too.
   *
   * Allowed while the bot is in_call_recording or recording_resumed, else 409. Answers when the bot has done it: within 10 seconds, or 503 when it could
   * not be reached in that time.
   */
  pauseBotRecording(input: Input<'pauseBotRecording'>, options?: CallOptions): Promise<OperationResponse<'pauseBotRecording'>>;
  /**
   * Resume a recording: `POST /v2/bots/{bot_id}/resume-recording`.
   *
   * The bot records again after a pause.
   *
   * Allowed while the bot is recording_paused, else 409. Answers when the bot has done it: within 10 seconds, or 503 when it could
   * not be reached in that time.
   */
  resumeBotRecording(input: Input<'resumeBotRecording'>, options?: CallOptions): Promise<OperationResponse<'resumeBotRecording'>>;
  /**
   * Write in the meeting's chat: `POST /v2/bots/{bot_id}/send-chat-message`.
   *
   * Allowed while the bot is in_call_not_recording, in_call_recording, recording_paused or recording_resumed, else 409.
   * 422 FST_ERR_CHAT_DISABLED when this meeting's chat is closed to the bot; 500 FST_ERR_SEND_CHAT_MESSAGE_FAILED when
   * sending was tried and did not work. Answers when the message is in the chat: within 10 seconds, or 503.
   */
  sendBotChatMessage(input: Input<'sendBotChatMessage'>, options?: CallOptions): Promise<OperationResponse<'sendBotChatMessage'>>;
  /**
   * Change a bot's own data: `PATCH /v2/bots/{bot_id}/update-config`.
   *
   * Merges the given `extra` into the bot's: a member that is given replaces the one of the same name, the others stay.
   * `extra` null removes all of it. Possible in any status; later events and callbacks carry the result.
   */
  updateBotConfig(input: Input<'updateBotConfig'>, options?: CallOptions): Promise<OperationResponse<'updateBotConfig'>>;
  /**
   * Transcribe a recording again: `POST /v2/bots/{bot_id}/retranscribe`.
   *
   * With the given provider, or with the bot's own settings when no body is sent. The new transcript replaces the one before, and a bot
   * that ended with TRANSCRIPTION_FAILED is completed. 409 unless the bot is completed or failed, has a recording and is not being
   * transcribed. 422 FST_ERR_NOT_CONFIGURED when this deployment cannot use the provider.
   */
  retranscribeBot(input: Input<'retranscribeBot'>, options?: CallOptions): Promise<OperationResponse<'retranscribeBot'>>;
  /**
   * Send a bot's final webhook again: `POST /v2/bots/{bot_id}/resend-webhook`.
   *
   * Sends `bot.completed` or `bot.failed` once more, with fresh links, to every enabled webhook endpoint of the team that is
   * subscribed to it, whatever it got before. 409 unless the bot is completed or failed. May be repeated without limit.
   */
  resendBotWebhook(input: Input<'resendBotWebhook'>, options?: CallOptions): Promise<OperationResponse<'resendBotWebhook'>>;
  /**
   * Send a bot's callback again: `POST /v2/bots/{bot_id}/retry-callback`.
   *
   * A fresh payload with new links: `bot.completed` or `bot.failed`, as in the webhook. Without a body it goes where the bot
   * was created to send it. With one, `url` is required; `method` and `secret` that are left out are those of the bot's own
   * callback. 409 unless the bot is completed or failed and had transcription enabled (FST_ERR_BOT_STATUS), and when no
   * callback was configured (FST_ERR_CALLBACK_NOT_CONFIGURED). May be repeated.
   */
  retryBotCallback(input: Input<'retryBotCallback'>, options?: CallOptions): Promise<OperationResponse<'retryBotCallback'>>;
  /**
   * Delete a bot's recording for good: `DELETE /v2/bots/{bot_id}/delete-data`.
   *
   * Removes every file of the bot (recording, transcripts, chat, screenshots) and what was said in it from the webhook
   * history. The details stay, with every artifact null at once. `artifacts_deleted` is true once the object store has
   * confirmed the deletion; until then `data_deletion` shows its state, and attempts continue. It cannot be undone. 409 unless
   * the bot is completed or failed. A repeated request attempts a deletion that is not confirmed at once.
   */
  deleteBotData(input: Input<'deleteBotData'>, options?: CallOptions): Promise<OperationResponse<'deleteBotData'>>;
  /**
   * Read a calendar: `GET /v2/calendars/{calendar_id}`.
   *
   * With its status and what became of its last sync; never with its credentials.
   */
  getCalendar(input: Input<'getCalendar'>, options?: CallOptions): Promise<OperationResponse<'getCalendar'>>;
  /**
   * Change a calendar: `PATCH /v2/calendars/{calendar_id}`.
   *
   * Other credentials must work, or nothing is changed; a connection that was revoked is active again afterwards. Another preferred
   * platform takes effect at once, also for bots that are scheduled.
   */
  updateCalendar(input: Input<'updateCalendar'>, options?: CallOptions): Promise<OperationResponse<'updateCalendar'>>;
  /**
   * Disconnect a calendar: `DELETE /v2/calendars/{calendar_id}`.
   *
   * Drops its events and series, and cancels its bots that have not started.
   */
  deleteCalendar(input: Input<'deleteCalendar'>, options?: CallOptions): Promise<OperationResponse<'deleteCalendar'>>;
  /**
   * Sync a calendar: `POST /v2/calendars/{calendar_id}/sync`.
   *
   * Begins a full sync. `synced_at` of the calendar states when it is done.
   */
  syncCalendar(input: Input<'syncCalendar'>, options?: CallOptions): Promise<OperationResponse<'syncCalendar'>>;
  /**
   * Open a new push channel: `POST /v2/calendars/{calendar_id}/resubscribe`.
   *
   * The one before ends once the new one is there. Channels are renewed by themselves: this is for one that seems lost.
   */
  resubscribeCalendar(input: Input<'resubscribeCalendar'>, options?: CallOptions): Promise<OperationResponse<'resubscribeCalendar'>>;
  /**
   * List events: `GET /v2/calendars/{calendar_id}/events`.
   *
   * Every occurrence of a series is an event. By start time. `start_after` and `start_before` are other names of `start_date` and `end_date`.
   */
  listCalendarEvents(input: Input<'listCalendarEvents'>, options?: CallOptions): Promise<OperationResponse<'listCalendarEvents'>>;
  /**
   * List series: `GET /v2/calendars/{calendar_id}/series`.
   *
   * A single event is a series of one. The oldest first; at most 200 events of each.
   */
  listCalendarSeries(input: Input<'listCalendarSeries'>, options?: CallOptions): Promise<OperationResponse<'listCalendarSeries'>>;
  /**
   * Schedule bots on events: `POST /v2/calendars/{calendar_id}/bots`.
   *
   * On one event, or with `all_occurrences` on every occurrence that is still to come, and on those that later syncs add. An event
   * that cannot have a bot is in `errors`. The bot follows its event: it joins when the event begins, wherever that is moved to.
   */
  createCalendarBots(input: Input<'createCalendarBots'>, options?: CallOptions): Promise<OperationResponse<'createCalendarBots'>>;
  /**
   * Change bots on events: `PATCH /v2/calendars/{calendar_id}/bots`.
   *
   * A field that is given replaces the former one. 409 (FST_ERR_BOT_STATUS) in the last 4 minutes before the event, and where no bot
   * is scheduled.
   */
  updateCalendarBots(input: Input<'updateCalendarBots'>, options?: CallOptions): Promise<OperationResponse<'updateCalendarBots'>>;
  /**
   * Cancel bots on events: `DELETE /v2/calendars/{calendar_id}/bots`.
   *
   * 409 (FST_ERR_BOT_STATUS) in the last 4 minutes before the event, and where no bot is scheduled.
   */
  deleteCalendarBots(input: Input<'deleteCalendarBots'>, options?: CallOptions): Promise<OperationResponse<'deleteCalendarBots'>>;
  /**
   * Connect a calendar of a consent: `POST /v2/calendar-consents/{consent_id}/connect`.
   *
   * Connects one of the calendars of a redeemed consent. A calendar that the team has connected already gets the new authorization. The
   * consent is used up.
   */
  connectConsentedCalendar(input: Input<'connectConsentedCalendar'>, options?: CallOptions): Promise<OperationResponse<'connectConsentedCalendar'>>;
  /**
   * Change a rule: `PATCH /v2/calendar-rules/{rule_id}`.
   *
   * Bots that have not started follow it.
   */
  updateCalendarRule(input: Input<'updateCalendarRule'>, options?: CallOptions): Promise<OperationResponse<'updateCalendarRule'>>;
  /**
   * Remove a rule: `DELETE /v2/calendar-rules/{rule_id}`.
   *
   * Its bots that have not started are cancelled.
   */
  deleteCalendarRule(input: Input<'deleteCalendarRule'>, options?: CallOptions): Promise<OperationResponse<'deleteCalendarRule'>>;
  /**
   * Read a webhook endpoint: `GET /v2/webhooks/endpoints/{endpoint_id}`.
   *
   * Its secret is not shown again; rotate it to get a new one.
   */
  getWebhookEndpoint(input: Input<'getWebhookEndpoint'>, options?: CallOptions): Promise<OperationResponse<'getWebhookEndpoint'>>;
  /**
   * Change a webhook endpoint: `PATCH /v2/webhooks/endpoints/{endpoint_id}`.
   *
   * Enabling it sends what was held meanwhile; disabling it holds what is pending.
   */
  updateWebhookEndpoint(input: Input<'updateWebhookEndpoint'>, options?: CallOptions): Promise<OperationResponse<'updateWebhookEndpoint'>>;
  /**
   * Remove a webhook endpoint: `DELETE /v2/webhooks/endpoints/{endpoint_id}`.
   *
   * Nothing more is sent to it, pending messages included.
   */
  deleteWebhookEndpoint(input: Input<'deleteWebhookEndpoint'>, options?: CallOptions): Promise<OperationResponse<'deleteWebhookEndpoint'>>;
  /**
   * Give a webhook endpoint a new secret: `POST /v2/webhooks/endpoints/{endpoint_id}/rotate-secret`.
   *
   * For 24 hours deliveries are signed with the old secret as well, so that nothing is refused meanwhile.
   */
  rotateWebhookSecret(input: Input<'rotateWebhookSecret'>, options?: CallOptions): Promise<OperationResponse<'rotateWebhookSecret'>>;
  /**
   * Send a test message to a webhook endpoint: `POST /v2/webhooks/endpoints/{endpoint_id}/test`.
   *
   * Queues one `webhook.test` message with a single attempt; read the result from its attempts.
   */
  testWebhookEndpoint(input: Input<'testWebhookEndpoint'>, options?: CallOptions): Promise<OperationResponse<'testWebhookEndpoint'>>;
  /**
   * List an endpoint's messages: `GET /v2/webhooks/endpoints/{endpoint_id}/messages`.
   *
   * Newest first.
   */
  listWebhookMessages(input: Input<'listWebhookMessages'>, options?: CallOptions): Promise<OperationResponse<'listWebhookMessages'>>;
  /**
   * List the attempts of a message: `GET /v2/webhooks/messages/{message_id}/attempts`.
   *
   * Newest first, at most 200.
   */
  listWebhookAttempts(input: Input<'listWebhookAttempts'>, options?: CallOptions): Promise<OperationResponse<'listWebhookAttempts'>>;
  /**
   * Send a message again: `POST /v2/webhooks/messages/{message_id}/resend`.
   *
   * The same id and the same bytes; the schedule of attempts starts anew. Held while the endpoint is disabled.
   * With `callback_id`, the callback is made again instead, for a bot with or without transcription.
   * 409 (FST_ERR_WEBHOOK_MESSAGE_REDACTED) for a chat message whose bot's data was deleted.
   */
  resendWebhookMessage(input: Input<'resendWebhookMessage'>, options?: CallOptions): Promise<OperationResponse<'resendWebhookMessage'>>;
  /**
   * See what became of a bot's callbacks: `GET /v2/webhooks/callbacks/{bot_id}`.
   *
   * Newest first, at most 50: the one at the bot's end and those that were asked for with retry-callback. 404 when no
   * callback was made for this bot.
   */
  listBotCallbacks(input: Input<'listBotCallbacks'>, options?: CallOptions): Promise<OperationResponse<'listBotCallbacks'>>;
  /**
   * Revoke an API key: `DELETE /v2/api-keys/{key_id}`.
   *
   * Requests with it are refused within one second, for good. A key may revoke itself.
   */
  revokeApiKey(input: Input<'revokeApiKey'>, options?: CallOptions): Promise<OperationResponse<'revokeApiKey'>>;
  /**
   * Read a Zoom credential: `GET /v2/zoom-credentials/{credential_id}`.
   *
   * Without its secrets.
   */
  getZoomCredential(input: Input<'getZoomCredential'>, options?: CallOptions): Promise<OperationResponse<'getZoomCredential'>>;
  /**
   * Change a Zoom credential: `PATCH /v2/zoom-credentials/{credential_id}`.
   *
   * A new authorization code authorises it anew: state, error and user are then those of that consent. A code that Zoom does not take
   * is 422 and changes nothing.
   */
  updateZoomCredential(input: Input<'updateZoomCredential'>, options?: CallOptions): Promise<OperationResponse<'updateZoomCredential'>>;
  /**
   * Remove a Zoom credential: `DELETE /v2/zoom-credentials/{credential_id}`.
   *
   * Its secrets are destroyed. Bots that were to join with it end with ALPHA_OBF_TOKEN_ERROR.
   */
  deleteZoomCredential(input: Input<'deleteZoomCredential'>, options?: CallOptions): Promise<OperationResponse<'deleteZoomCredential'>>;
  /**
   * Read a Meet workspace: `GET /v2/meet-workspaces/{workspace_id}`.
   *
   * The workspace with the result of its last verification.
   */
  getMeetWorkspace(input: Input<'getMeetWorkspace'>, options?: CallOptions): Promise<OperationResponse<'getMeetWorkspace'>>;
  /**
   * Change a Meet workspace: `PATCH /v2/meet-workspaces/{workspace_id}`.
   *
   * `cert_pem` and `private_key_pem` come together and start a rotation: bots keep signing in with the previous pair
   * (`signing_cert_pem`) until a verification shows that the domain accepts the new one. In an invalid workspace the new pair is used
   * at once. `state` takes `active` only and clears the failure. The domain cannot change.
   */
  updateMeetWorkspace(input: Input<'updateMeetWorkspace'>, options?: CallOptions): Promise<OperationResponse<'updateMeetWorkspace'>>;
  /**
   * Remove a Meet workspace: `DELETE /v2/meet-workspaces/{workspace_id}`.
   *
   * Its logins and all secrets are removed with it. 409 (FST_ERR_LOGIN_IN_USE) while a bot uses one of its logins.
   */
  deleteMeetWorkspace(input: Input<'deleteMeetWorkspace'>, options?: CallOptions): Promise<OperationResponse<'deleteMeetWorkspace'>>;
  /**
   * Check a Meet workspace: `POST /v2/meet-workspaces/{workspace_id}/verify`.
   *
   * Runs the named checks, stores the result with the workspace and answers it. `credential_id` names the login for the check
   * `test_login`; without it that check is skipped unless a rotation is in progress. A passed test login with the new pair completes
   * the rotation. The same checks run every night.
   */
  verifyMeetWorkspace(input: Input<'verifyMeetWorkspace'>, options?: CallOptions): Promise<OperationResponse<'verifyMeetWorkspace'>>;
  /**
   * Read a Meet login: `GET /v2/meet-logins/{credential_id}`.
   *
   * The login, with the number of bots that use it now.
   */
  getMeetLogin(input: Input<'getMeetLogin'>, options?: CallOptions): Promise<OperationResponse<'getMeetLogin'>>;
  /**
   * Change a Meet login: `PATCH /v2/meet-logins/{credential_id}`.
   *
   * `email_group` empty or null removes the login from its pool. `state` takes `active` only and clears the failure.
   */
  updateMeetLogin(input: Input<'updateMeetLogin'>, options?: CallOptions): Promise<OperationResponse<'updateMeetLogin'>>;
  /**
   * Remove a Meet login: `DELETE /v2/meet-logins/{credential_id}`.
   *
   * 409 (FST_ERR_LOGIN_IN_USE) while a bot uses it.
   */
  deleteMeetLogin(input: Input<'deleteMeetLogin'>, options?: CallOptions): Promise<OperationResponse<'deleteMeetLogin'>>;
  /**
   * Read a Teams workspace: `GET /v2/teams-workspaces/{workspace_id}`.
   *
   * The workspace.
   */
  getTeamsWorkspace(input: Input<'getTeamsWorkspace'>, options?: CallOptions): Promise<OperationResponse<'getTeamsWorkspace'>>;
  /**
   * Change a Teams workspace: `PATCH /v2/teams-workspaces/{workspace_id}`.
   *
   * `state` takes `active` only and clears the failure. The domain cannot change.
   */
  updateTeamsWorkspace(input: Input<'updateTeamsWorkspace'>, options?: CallOptions): Promise<OperationResponse<'updateTeamsWorkspace'>>;
  /**
   * Remove a Teams workspace: `DELETE /v2/teams-workspaces/{workspace_id}`.
   *
   * Its logins and all secrets are removed with it. 409 (FST_ERR_LOGIN_IN_USE) while a bot uses one of its logins.
   */
  deleteTeamsWorkspace(input: Input<'deleteTeamsWorkspace'>, options?: CallOptions): Promise<OperationResponse<'deleteTeamsWorkspace'>>;
  /**
   * Read a Teams login: `GET /v2/teams-logins/{credential_id}`.
   *
   * The login, with the number of bots that use it now.
   */
  getTeamsLogin(input: Input<'getTeamsLogin'>, options?: CallOptions): Promise<OperationResponse<'getTeamsLogin'>>;
  /**
   * Change a Teams login: `PATCH /v2/teams-logins/{credential_id}`.
   *
   * `email_group` empty or null removes the login from its pool. `state` takes `active` only and clears the failure.
   */
  updateTeamsLogin(input: Input<'updateTeamsLogin'>, options?: CallOptions): Promise<OperationResponse<'updateTeamsLogin'>>;
  /**
   * Remove a Teams login: `DELETE /v2/teams-logins/{credential_id}`.
   *
   * 409 (FST_ERR_LOGIN_IN_USE) while a bot uses it.
   */
  deleteTeamsLogin(input: Input<'deleteTeamsLogin'>, options?: CallOptions): Promise<OperationResponse<'deleteTeamsLogin'>>;
  /**
   * Read an event: `GET /v2/calendars/{calendar_id}/events/{event_id}`.
   *
   * With what the provider sent in `raw_payload`.
   */
  getCalendarEvent(input: Input<'getCalendarEvent'>, options?: CallOptions): Promise<OperationResponse<'getCalendarEvent'>>;
}

/** The paginated lists, item by item: pages are fetched as they are needed. */
export interface Lists {
  /**
   * List bots, every page of it.
   */
  listBots(input?: Input<'listBots'>, options?: CallOptions): All<'listBots'>;
  /**
   * List scheduled bots, every page of it.
   */
  listScheduledBots(input?: Input<'listScheduledBots'>, options?: CallOptions): All<'listScheduledBots'>;
  /**
   * Search the words of transcripts, every page of it.
   */
  searchTranscripts(input: Input<'searchTranscripts'>, options?: CallOptions): All<'searchTranscripts'>;
  /**
   * List calendars, every page of it.
   */
  listCalendars(input?: Input<'listCalendars'>, options?: CallOptions): All<'listCalendars'>;
  /**
   * Read the audit log, every page of it.
   */
  listAuditLog(input?: Input<'listAuditLog'>, options?: CallOptions): All<'listAuditLog'>;
  /**
   * Read the resource usage of bots, every page of it.
   */
  listBotUsage(input?: Input<'listBotUsage'>, options?: CallOptions): All<'listBotUsage'>;
  /**
   * List Zoom credentials, every page of it.
   */
  listZoomCredentials(input?: Input<'listZoomCredentials'>, options?: CallOptions): All<'listZoomCredentials'>;
  /**
   * List what a bot saw while joining, every page of it.
   */
  listBotScreenshots(input: Input<'listBotScreenshots'>, options?: CallOptions): All<'listBotScreenshots'>;
  /**
   * List events, every page of it.
   */
  listCalendarEvents(input: Input<'listCalendarEvents'>, options?: CallOptions): All<'listCalendarEvents'>;
  /**
   * List series, every page of it.
   */
  listCalendarSeries(input: Input<'listCalendarSeries'>, options?: CallOptions): All<'listCalendarSeries'>;
  /**
   * List an endpoint's messages, every page of it.
   */
  listWebhookMessages(input: Input<'listWebhookMessages'>, options?: CallOptions): All<'listWebhookMessages'>;
}

export const listNames = ['listBots', 'listScheduledBots', 'searchTranscripts', 'listCalendars', 'listAuditLog', 'listBotUsage', 'listZoomCredentials', 'listBotScreenshots', 'listCalendarEvents', 'listCalendarSeries', 'listWebhookMessages'] as const;

/** Every event that a webhook endpoint receives, distinguished by `event`. */
export type WebhookEvent =
  | webhooks['bot.status_change']['post']['requestBody']['content']['application/json']
  | webhooks['bot.completed']['post']['requestBody']['content']['application/json']
  | webhooks['bot.failed']['post']['requestBody']['content']['application/json']
  | webhooks['bot.chat_message']['post']['requestBody']['content']['application/json']
  | webhooks['bot.chat_status']['post']['requestBody']['content']['application/json']
  | webhooks['bot.captions_status']['post']['requestBody']['content']['application/json']
  | webhooks['bot.data_deletion_failed']['post']['requestBody']['content']['application/json']
  | webhooks['calendar.connection_created']['post']['requestBody']['content']['application/json']
  | webhooks['calendar.connection_updated']['post']['requestBody']['content']['application/json']
  | webhooks['calendar.connection_deleted']['post']['requestBody']['content']['application/json']
  | webhooks['calendar.connection_error']['post']['requestBody']['content']['application/json']
  | webhooks['calendar.events_synced']['post']['requestBody']['content']['application/json']
  | webhooks['calendar.event_created']['post']['requestBody']['content']['application/json']
  | webhooks['calendar.event_updated']['post']['requestBody']['content']['application/json']
  | webhooks['calendar.event_cancelled']['post']['requestBody']['content']['application/json']
  | webhooks['meet_workspace.verification_changed']['post']['requestBody']['content']['application/json']
  | webhooks['webhook.test']['post']['requestBody']['content']['application/json']
;
