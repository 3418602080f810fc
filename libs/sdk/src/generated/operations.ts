// Generated from openapi/public.v2 by `npm run generate` in the Rapporteur repository. Change the contract, not this file.
import type { All, Answer, CallOptions, Input, OperationFacts } from '../operation-types.ts';
import type { webhooks } from './types.ts';

export const operations = {
  listBots: { method: 'GET', path: '/v2/bots', query: ['limit', 'cursor', 'bot_name', 'participant_name', 'bot_id', 'meeting_url', 'created_after', 'created_before', 'ended_after', 'extra', 'meeting_platform', 'status'], keyed: false, onlyData: false },
  createBot: { method: 'POST', path: '/v2/bots', query: [], keyed: true, onlyData: true },
  createBots: { method: 'POST', path: '/v2/bots/batch', query: [], keyed: true, onlyData: false },
  preflightBot: { method: 'POST', path: '/v2/bots/preflight', query: [], keyed: true, onlyData: true },
  listScheduledBots: { method: 'GET', path: '/v2/bots/scheduled', query: ['limit', 'cursor', 'bot_id', 'bot_name', 'meeting_url', 'scheduled_after', 'scheduled_before', 'status', 'meeting_platform', 'extra'], keyed: false, onlyData: false },
  scheduleBot: { method: 'POST', path: '/v2/bots/scheduled', query: [], keyed: true, onlyData: true },
  scheduleBots: { method: 'POST', path: '/v2/bots/scheduled/batch', query: [], keyed: true, onlyData: false },
  listWebhookEndpoints: { method: 'GET', path: '/v2/webhooks/endpoints', query: [], keyed: false, onlyData: true },
  createWebhookEndpoint: { method: 'POST', path: '/v2/webhooks/endpoints', query: [], keyed: true, onlyData: true },
  listWebhookEventTypes: { method: 'GET', path: '/v2/webhooks/event-types', query: [], keyed: false, onlyData: true },
  listZoomCredentials: { method: 'GET', path: '/v2/zoom-credentials', query: ['limit', 'cursor', 'name', 'zoom_email', 'zoom_display_name', 'zoom_user_id', 'credential_type', 'state', 'extra'], keyed: false, onlyData: false },
  createZoomCredential: { method: 'POST', path: '/v2/zoom-credentials', query: [], keyed: true, onlyData: true },
  getScheduledBot: { method: 'GET', path: '/v2/bots/scheduled/{bot_id}', query: [], keyed: false, onlyData: true },
  updateScheduledBot: { method: 'PATCH', path: '/v2/bots/scheduled/{bot_id}', query: [], keyed: false, onlyData: true },
  deleteScheduledBot: { method: 'DELETE', path: '/v2/bots/scheduled/{bot_id}', query: [], keyed: false, onlyData: true },
  getBot: { method: 'GET', path: '/v2/bots/{bot_id}', query: [], keyed: false, onlyData: true },
  getBotStatus: { method: 'GET', path: '/v2/bots/{bot_id}/status', query: [], keyed: false, onlyData: true },
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
  getWebhookEndpoint: { method: 'GET', path: '/v2/webhooks/endpoints/{endpoint_id}', query: [], keyed: false, onlyData: true },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v2/webhooks/endpoints/{endpoint_id}', query: [], keyed: false, onlyData: true },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/v2/webhooks/endpoints/{endpoint_id}', query: [], keyed: false, onlyData: true },
  rotateWebhookSecret: { method: 'POST', path: '/v2/webhooks/endpoints/{endpoint_id}/rotate-secret', query: [], keyed: true, onlyData: true },
  testWebhookEndpoint: { method: 'POST', path: '/v2/webhooks/endpoints/{endpoint_id}/test', query: [], keyed: true, onlyData: true },
  listWebhookMessages: { method: 'GET', path: '/v2/webhooks/endpoints/{endpoint_id}/messages', query: ['limit', 'cursor', 'state'], keyed: false, onlyData: false },
  listWebhookAttempts: { method: 'GET', path: '/v2/webhooks/messages/{message_id}/attempts', query: ['endpoint_id'], keyed: false, onlyData: true },
  resendWebhookMessage: { method: 'POST', path: '/v2/webhooks/messages/{message_id}/resend', query: ['endpoint_id', 'callback_id'], keyed: true, onlyData: true },
  listBotCallbacks: { method: 'GET', path: '/v2/webhooks/callbacks/{bot_id}', query: [], keyed: false, onlyData: true },
  getZoomCredential: { method: 'GET', path: '/v2/zoom-credentials/{credential_id}', query: [], keyed: false, onlyData: true },
  updateZoomCredential: { method: 'PATCH', path: '/v2/zoom-credentials/{credential_id}', query: [], keyed: false, onlyData: true },
  deleteZoomCredential: { method: 'DELETE', path: '/v2/zoom-credentials/{credential_id}', query: [], keyed: false, onlyData: true },
} as const satisfies Record<string, OperationFacts>;

/** One method per operation of the API. */
export interface Operations {
  /**
   * List bots: `GET /v2/bots`.
   *
   * Newest first by `created_at`. All filters must match. Page with `cursor` (onward) and `prev_cursor` (back); keep the
   * filters the same while paging.
   */
  listBots(input?: Input<'listBots'>, options?: CallOptions): Promise<Answer<'listBots'>>;
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
  createBot(input: Input<'createBot'>, options?: CallOptions): Promise<Answer<'createBot'>>;
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
  createBots(input: Input<'createBots'>, options?: CallOptions): Promise<Answer<'createBots'>>;
  /**
   * See what creating a bot would meet: `POST /v2/bots/preflight`.
   *
   * Takes the body of POST /v2/bots, creates nothing and reserves nothing. Answers 200 whether a bot could be created or
   * not: `ready` says so, `checks` says why. Between this answer and a creation things may change.
   */
  preflightBot(input: Input<'preflightBot'>, options?: CallOptions): Promise<Answer<'preflightBot'>>;
  /**
   * List scheduled bots: `GET /v2/bots/scheduled`.
   *
   * The earliest `join_at` first. All filters must match. Page with `cursor` (onward) and `prev_cursor` (back).
   */
  listScheduledBots(input?: Input<'listScheduledBots'>, options?: CallOptions): Promise<Answer<'listScheduledBots'>>;
  /**
   * Schedule a bot: `POST /v2/bots/scheduled`.
   *
   * The same fields as POST /v2/bots and the time to join. The bot keeps its id when it runs. Daily cap, tokens and
   * duplicates are checked when it runs, not now; a failure then arrives as the event `bot.failed`. What this deployment
   * cannot do is refused now (422).
   */
  scheduleBot(input: Input<'scheduleBot'>, options?: CallOptions): Promise<Answer<'scheduleBot'>>;
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
  scheduleBots(input: Input<'scheduleBots'>, options?: CallOptions): Promise<Answer<'scheduleBots'>>;
  /**
   * List webhook endpoints: `GET /v2/webhooks/endpoints`.
   *
   * All of the team's, oldest first.
   */
  listWebhookEndpoints(input?: Input<'listWebhookEndpoints'>, options?: CallOptions): Promise<Answer<'listWebhookEndpoints'>>;
  /**
   * Add a webhook endpoint: `POST /v2/webhooks/endpoints`.
   *
   * Deliveries start with the next event. The signing secret is shown in this answer only.
   * A team has at most 50 endpoints (FST_ERR_WEBHOOK_ENDPOINT_LIMIT).
   */
  createWebhookEndpoint(input: Input<'createWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'createWebhookEndpoint'>>;
  /**
   * List the kinds of events: `GET /v2/webhooks/event-types`.
   *
   * What an endpoint can ask for.
   */
  listWebhookEventTypes(input?: Input<'listWebhookEventTypes'>, options?: CallOptions): Promise<Answer<'listWebhookEventTypes'>>;
  /**
   * List Zoom credentials: `GET /v2/zoom-credentials`.
   *
   * All of them, newest first. All filters must match. With `limit` they come in pages: `cursor` (onward) and `prev_cursor` (back).
   */
  listZoomCredentials(input?: Input<'listZoomCredentials'>, options?: CallOptions): Promise<Answer<'listZoomCredentials'>>;
  /**
   * Store a Zoom credential: `POST /v2/zoom-credentials`.
   *
   * Keeps a Zoom app and, with an authorization code, the consent of one of its users: the code is exchanged at once, and the
   * credential knows whom it speaks for. Bots then join with `alpha_config.credential_id` or `credential_user_id`. A code that Zoom
   * does not take is 422 (FST_ERR_CREDENTIAL_REFUSED); nothing is stored then.
   */
  createZoomCredential(input: Input<'createZoomCredential'>, options?: CallOptions): Promise<Answer<'createZoomCredential'>>;
  /**
   * Read a scheduled bot: `GET /v2/bots/scheduled/{bot_id}`.
   *
   * What the bot was scheduled with. A direct `alpha_config.obf_token` and provider keys are never shown. Once it runs, read
   * it at GET /v2/bots/{bot_id} as well: the id is the same.
   */
  getScheduledBot(input: Input<'getScheduledBot'>, options?: CallOptions): Promise<Answer<'getScheduledBot'>>;
  /**
   * Change a scheduled bot: `PATCH /v2/bots/scheduled/{bot_id}`.
   *
   * Only while it is `scheduled` and until 4 minutes before its `join_at`; then 409. Only the members that are given change.
   * A member that is given replaces the former value as a whole, objects and `extra` included; what is left out inside a
   * given object gets its default. The result is checked like a new scheduled bot.
   */
  updateScheduledBot(input: Input<'updateScheduledBot'>, options?: CallOptions): Promise<Answer<'updateScheduledBot'>>;
  /**
   * Cancel a scheduled bot: `DELETE /v2/bots/scheduled/{bot_id}`.
   *
   * Before it runs, the bot becomes `cancelled`. Once it runs, this is the same as POST /v2/bots/{bot_id}/leave: before the
   * recording has started it ends with EXITING_MEETING_BEFORE_RECORD. 409 when it is cancelled, completed or failed.
   */
  deleteScheduledBot(input: Input<'deleteScheduledBot'>, options?: CallOptions): Promise<Answer<'deleteScheduledBot'>>;
  /**
   * Read a bot's details and artifact links: `GET /v2/bots/{bot_id}`.
   *
   * Artifact links are signed anew with every call and valid for 4 hours.
   */
  getBot(input: Input<'getBot'>, options?: CallOptions): Promise<Answer<'getBot'>>;
  /**
   * Read only a bot's status: `GET /v2/bots/{bot_id}/status`.
   *
   * Cheaper than the details, for polling.
   */
  getBotStatus(input: Input<'getBotStatus'>, options?: CallOptions): Promise<Answer<'getBotStatus'>>;
  /**
   * List what a bot saw while joining: `GET /v2/bots/{bot_id}/screenshots`.
   *
   * Pictures of the meeting page, oldest first, each with a link that works for 4 hours. Google Meet and Microsoft Teams;
   * none with recording_mode audio_only and none once the bot's data is deleted.
   */
  listBotScreenshots(input: Input<'listBotScreenshots'>, options?: CallOptions): Promise<Answer<'listBotScreenshots'>>;
  /**
   * Make a bot leave its meeting: `POST /v2/bots/{bot_id}/leave`.
   *
   * Before the recording has started the bot ends with EXITING_MEETING_BEFORE_RECORD and costs no tokens; later it ends
   * as completed with API_REQUEST. A scheduled bot that has not run yet is cancelled. Refused with 409 once the bot is
   * completed or failed.
   */
  leaveBot(input: Input<'leaveBot'>, options?: CallOptions): Promise<Answer<'leaveBot'>>;
  /**
   * Pause a recording: `POST /v2/bots/{bot_id}/pause-recording`.
   *
   * The bot stays in the meeting and records nothing until the recording is resumed. The paused span is cut out and the
   * times inside the artifacts stay continuous; streaming pauses too.
   *
   * Allowed while the bot is in_call_recording or recording_resumed, else 409. Answers when the bot has done it: within 10 seconds, or 503 when it could
   * not be reached in that time.
   */
  pauseBotRecording(input: Input<'pauseBotRecording'>, options?: CallOptions): Promise<Answer<'pauseBotRecording'>>;
  /**
   * Resume a recording: `POST /v2/bots/{bot_id}/resume-recording`.
   *
   * The bot records again after a pause.
   *
   * Allowed while the bot is recording_paused, else 409. Answers when the bot has done it: within 10 seconds, or 503 when it could
   * not be reached in that time.
   */
  resumeBotRecording(input: Input<'resumeBotRecording'>, options?: CallOptions): Promise<Answer<'resumeBotRecording'>>;
  /**
   * Write in the meeting's chat: `POST /v2/bots/{bot_id}/send-chat-message`.
   *
   * Allowed while the bot is in_call_not_recording, in_call_recording, recording_paused or recording_resumed, else 409.
   * 422 FST_ERR_CHAT_DISABLED when this meeting's chat is closed to the bot; 500 FST_ERR_SEND_CHAT_MESSAGE_FAILED when
   * sending was tried and did not work. Answers when the message is in the chat: within 10 seconds, or 503.
   */
  sendBotChatMessage(input: Input<'sendBotChatMessage'>, options?: CallOptions): Promise<Answer<'sendBotChatMessage'>>;
  /**
   * Change a bot's own data: `PATCH /v2/bots/{bot_id}/update-config`.
   *
   * Merges the given `extra` into the bot's: a member that is given replaces the one of the same name, the others stay.
   * `extra` null removes all of it. Possible in any status; later events and callbacks carry the result.
   */
  updateBotConfig(input: Input<'updateBotConfig'>, options?: CallOptions): Promise<Answer<'updateBotConfig'>>;
  /**
   * Transcribe a recording again: `POST /v2/bots/{bot_id}/retranscribe`.
   *
   * With the given provider, or with the bot's own settings when no body is sent. The new transcript replaces the one before, and a bot
   * that ended with TRANSCRIPTION_FAILED is completed. 409 unless the bot is completed or failed, has a recording and is not being
   * transcribed. 422 FST_ERR_NOT_CONFIGURED when this deployment cannot use the provider.
   */
  retranscribeBot(input: Input<'retranscribeBot'>, options?: CallOptions): Promise<Answer<'retranscribeBot'>>;
  /**
   * Send a bot's final webhook again: `POST /v2/bots/{bot_id}/resend-webhook`.
   *
   * Sends `bot.completed` or `bot.failed` once more, with fresh links, to every enabled webhook endpoint of the team that is
   * subscribed to it, whatever it got before. 409 unless the bot is completed or failed. May be repeated without limit.
   */
  resendBotWebhook(input: Input<'resendBotWebhook'>, options?: CallOptions): Promise<Answer<'resendBotWebhook'>>;
  /**
   * Send a bot's callback again: `POST /v2/bots/{bot_id}/retry-callback`.
   *
   * A fresh payload with new links: `bot.completed` or `bot.failed`, as in the webhook. Without a body it goes where the bot
   * was created to send it. With one, `url` is required; `method` and `secret` that are left out are those of the bot's own
   * callback. 409 unless the bot is completed or failed and had transcription enabled (FST_ERR_BOT_STATUS), and when no
   * callback was configured (FST_ERR_CALLBACK_NOT_CONFIGURED). May be repeated.
   */
  retryBotCallback(input: Input<'retryBotCallback'>, options?: CallOptions): Promise<Answer<'retryBotCallback'>>;
  /**
   * Delete a bot's recording for good: `DELETE /v2/bots/{bot_id}/delete-data`.
   *
   * Removes every file of the bot (recording, transcripts, chat, screenshots) and what was said in it from the webhook
   * history. The details stay, with every artifact null and `artifacts_deleted` true. It cannot be undone. 409 unless the
   * bot is completed or failed. Calling it again succeeds.
   */
  deleteBotData(input: Input<'deleteBotData'>, options?: CallOptions): Promise<Answer<'deleteBotData'>>;
  /**
   * Read a webhook endpoint: `GET /v2/webhooks/endpoints/{endpoint_id}`.
   *
   * Its secret is not shown again; rotate it to get a new one.
   */
  getWebhookEndpoint(input: Input<'getWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'getWebhookEndpoint'>>;
  /**
   * Change a webhook endpoint: `PATCH /v2/webhooks/endpoints/{endpoint_id}`.
   *
   * Enabling it sends what was held meanwhile; disabling it holds what is pending.
   */
  updateWebhookEndpoint(input: Input<'updateWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'updateWebhookEndpoint'>>;
  /**
   * Remove a webhook endpoint: `DELETE /v2/webhooks/endpoints/{endpoint_id}`.
   *
   * Nothing more is sent to it, pending messages included.
   */
  deleteWebhookEndpoint(input: Input<'deleteWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'deleteWebhookEndpoint'>>;
  /**
   * Give a webhook endpoint a new secret: `POST /v2/webhooks/endpoints/{endpoint_id}/rotate-secret`.
   *
   * For 24 hours deliveries are signed with the old secret as well, so that nothing is refused meanwhile.
   */
  rotateWebhookSecret(input: Input<'rotateWebhookSecret'>, options?: CallOptions): Promise<Answer<'rotateWebhookSecret'>>;
  /**
   * Send a test message to a webhook endpoint: `POST /v2/webhooks/endpoints/{endpoint_id}/test`.
   *
   * Queues one `webhook.test` message with a single attempt; read the result from its attempts.
   */
  testWebhookEndpoint(input: Input<'testWebhookEndpoint'>, options?: CallOptions): Promise<Answer<'testWebhookEndpoint'>>;
  /**
   * List an endpoint's messages: `GET /v2/webhooks/endpoints/{endpoint_id}/messages`.
   *
   * Newest first.
   */
  listWebhookMessages(input: Input<'listWebhookMessages'>, options?: CallOptions): Promise<Answer<'listWebhookMessages'>>;
  /**
   * List the attempts of a message: `GET /v2/webhooks/messages/{message_id}/attempts`.
   *
   * Newest first, at most 200.
   */
  listWebhookAttempts(input: Input<'listWebhookAttempts'>, options?: CallOptions): Promise<Answer<'listWebhookAttempts'>>;
  /**
   * Send a message again: `POST /v2/webhooks/messages/{message_id}/resend`.
   *
   * The same id and the same bytes; the schedule of attempts starts anew. Held while the endpoint is disabled.
   * With `callback_id`, the callback is made again instead, for a bot with or without transcription.
   * 409 (FST_ERR_WEBHOOK_MESSAGE_REDACTED) for a chat message whose bot's data was deleted.
   */
  resendWebhookMessage(input: Input<'resendWebhookMessage'>, options?: CallOptions): Promise<Answer<'resendWebhookMessage'>>;
  /**
   * See what became of a bot's callbacks: `GET /v2/webhooks/callbacks/{bot_id}`.
   *
   * Newest first, at most 50: the one at the bot's end and those that were asked for with retry-callback. 404 when no
   * callback was made for this bot.
   */
  listBotCallbacks(input: Input<'listBotCallbacks'>, options?: CallOptions): Promise<Answer<'listBotCallbacks'>>;
  /**
   * Read a Zoom credential: `GET /v2/zoom-credentials/{credential_id}`.
   *
   * Without its secrets.
   */
  getZoomCredential(input: Input<'getZoomCredential'>, options?: CallOptions): Promise<Answer<'getZoomCredential'>>;
  /**
   * Change a Zoom credential: `PATCH /v2/zoom-credentials/{credential_id}`.
   *
   * A new authorization code authorises it anew: state, error and user are then those of that consent. A code that Zoom does not take
   * is 422 and changes nothing.
   */
  updateZoomCredential(input: Input<'updateZoomCredential'>, options?: CallOptions): Promise<Answer<'updateZoomCredential'>>;
  /**
   * Remove a Zoom credential: `DELETE /v2/zoom-credentials/{credential_id}`.
   *
   * Its secrets are destroyed. Bots that were to join with it end with ALPHA_OBF_TOKEN_ERROR.
   */
  deleteZoomCredential(input: Input<'deleteZoomCredential'>, options?: CallOptions): Promise<Answer<'deleteZoomCredential'>>;
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
   * List Zoom credentials, every page of it.
   */
  listZoomCredentials(input?: Input<'listZoomCredentials'>, options?: CallOptions): All<'listZoomCredentials'>;
  /**
   * List what a bot saw while joining, every page of it.
   */
  listBotScreenshots(input: Input<'listBotScreenshots'>, options?: CallOptions): All<'listBotScreenshots'>;
  /**
   * List an endpoint's messages, every page of it.
   */
  listWebhookMessages(input: Input<'listWebhookMessages'>, options?: CallOptions): All<'listWebhookMessages'>;
}

export const listNames = ['listBots', 'listScheduledBots', 'listZoomCredentials', 'listBotScreenshots', 'listWebhookMessages'] as const;

/** Every event that a webhook endpoint receives, told apart by `event`. */
export type WebhookEvent =
  | webhooks['bot.status_change']['post']['requestBody']['content']['application/json']
  | webhooks['bot.completed']['post']['requestBody']['content']['application/json']
  | webhooks['bot.failed']['post']['requestBody']['content']['application/json']
  | webhooks['bot.chat_message']['post']['requestBody']['content']['application/json']
  | webhooks['bot.chat_status']['post']['requestBody']['content']['application/json']
  | webhooks['webhook.test']['post']['requestBody']['content']['application/json']
;
