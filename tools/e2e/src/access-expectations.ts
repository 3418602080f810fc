/** Resources of the first team, as targets of the table. */
export interface Owned {
  readonly bot_id: string;
  readonly scheduled_id: string;
  readonly endpoint_id: string;
  readonly message_id: string;
  readonly credential_id: string;
  /** An API key without any request. */
  readonly key_id: string;
  readonly calendar_id: string;
  readonly series_id: string;
  readonly event_id: string;
  readonly rule_id: string;
  /** Another one, for the first generation. */
  readonly legacy_calendar_id: string;
  readonly legacy_event_id: string;
  readonly meet_workspace_id: string;
  readonly meet_login_id: string;
  readonly teams_workspace_id: string;
  readonly teams_login_id: string;
  /** A valid link. */
  readonly meeting_url: string;
  /** Another: the first generation refuses a second bot for the same meeting. */
  readonly legacy_url: string;
  /** ISO 8601, a day ahead. */
  readonly tomorrow: string;
}

export interface Expectation {
  readonly id: string;
  /** Names of the path parameters, and the resources of the first team that they identify. */
  readonly aims?: Readonly<Record<string, keyof Owned>>;
  readonly query?: (owned: Owned) => Readonly<Record<string, string>>;
  readonly body?: (owned: Owned) => unknown;
  /** True for the routes of specification 5.2. */
  readonly sending?: true;
  /** True where the team itself gets that only after a moment. */
  readonly eventually?: true;
  /** Status for a Full Access key of the team itself. */
  readonly full: number;
  /** Status for another team. 404: the resource does not exist for it; else it reads and changes its own only. */
  readonly stranger: number;
}

const aimsAtBot = { bot_id: 'bot_id' } as const;
const aimsAtScheduled = { bot_id: 'scheduled_id' } as const;
const aimsAtEndpoint = { endpoint_id: 'endpoint_id' } as const;
const aimsAtMessage = { message_id: 'message_id' } as const;
const aimsAtCredential = { credential_id: 'credential_id' } as const;
const aimsAtKey = { key_id: 'key_id' } as const;
const aimsAtCalendar = { calendar_id: 'calendar_id' } as const;
const aimsAtEvent = { ...aimsAtCalendar, event_id: 'event_id' } as const;
const aimsAtRule = { rule_id: 'rule_id' } as const;
// The prefix leads to the simulated providers, which refuse them.
const strangeOauth = {
  oauth_client_id: 'simulated-app',
  oauth_client_secret: 'simulated-secret',
  oauth_refresh_token: 'simulated-token',
};
const onEvent = ({ series_id, event_id }: Owned) => ({ series_id, event_id, all_occurrences: false });
const rule = { name: 'None', enabled: false, conditions: {}, bot: { bot_name: 'By rule' } };
const bot = ({ meeting_url }: Owned) => ({ bot_name: 'Guest', meeting_url });
const later = (owned: Owned) => ({ ...bot(owned), join_at: owned.tomorrow });

const unreachableStorage = {
  endpoint: 'http://127.0.0.1:1',
  region: 'us-east-1',
  artifacts_bucket: 'recordings',
  audio_chunks_bucket: 'recordings',
  logs_bucket: 'recordings',
  ingest_access_key_id: 'ingest',
  ingest_secret_access_key: 'its secret',
  service_access_key_id: 'service',
  service_secret_access_key: 'its secret',
};

const loginExpectations: readonly Expectation[] = (['Meet', 'Teams'] as const).flatMap((kind) => {
  const lower = kind === 'Meet' ? 'meet' : 'teams';
  const aimsAtWorkspace = { workspace_id: `${lower}_workspace_id` } as const;
  const aimsAtLogin = { credential_id: `${lower}_login_id` } as const;
  const password = kind === 'Meet' ? {} : { password: 'a password' };
  const pair = kind === 'Meet' ? { generate_keypair: true } : {};
  const workspaceOf = (owned: Owned) => owned[`${lower}_workspace_id`];
  return [
    { id: `create${kind}Workspace`, body: () => ({ domain: 'theirs.example', ...pair }), full: 201, stranger: 201 },
    { id: `list${kind}Workspaces`, full: 200, stranger: 200 },
    { id: `get${kind}Workspace`, aims: aimsAtWorkspace, full: 200, stranger: 404 },
    { id: `update${kind}Workspace`, aims: aimsAtWorkspace, body: () => ({ name: 'Ours' }), full: 200, stranger: 404 },
    ...(kind === 'Meet'
      ? [{ id: 'verifyMeetWorkspace', aims: aimsAtWorkspace, body: () => ({}), full: 200, stranger: 404 }]
      : []),
    {
      id: `create${kind}Login`,
      body: (owned: Owned) => ({
        name: 'Theirs',
        email: 'second@ours.example',
        workspace_id: workspaceOf(owned),
        ...password,
      }),
      full: 201,
      stranger: 404,
    },
    { id: `list${kind}Logins`, full: 200, stranger: 200 },
    { id: `get${kind}LoginUtilization`, full: 200, stranger: 200 },
    { id: `get${kind}Login`, aims: aimsAtLogin, full: 200, stranger: 404 },
    { id: `update${kind}Login`, aims: aimsAtLogin, body: () => ({ name: 'Ours' }), full: 200, stranger: 404 },
    { id: `delete${kind}Login`, aims: aimsAtLogin, full: 200, stranger: 404 },
    { id: `delete${kind}Workspace`, aims: aimsAtWorkspace, full: 200, stranger: 404 },
  ];
});

/**
 * Every operation of the v2 document, in an order in which each has its preconditions: the bot is queued until leaveBot
 * ends it.
 */
export const expectationsOfV2: readonly Expectation[] = [
  { id: 'createBot', body: bot, sending: true, full: 201, stranger: 201 },
  { id: 'createBots', body: (owned) => [bot(owned)], sending: true, full: 201, stranger: 201 },
  { id: 'scheduleBot', body: later, sending: true, full: 201, stranger: 201 },
  { id: 'scheduleBots', body: (owned) => [later(owned)], sending: true, full: 201, stranger: 201 },
  { id: 'preflightBot', body: bot, full: 200, stranger: 200 },
  { id: 'listBots', full: 200, stranger: 200 },
  { id: 'listScheduledBots', full: 200, stranger: 200 },
  { id: 'getScheduledBot', aims: aimsAtScheduled, full: 200, stranger: 404 },
  { id: 'updateScheduledBot', aims: aimsAtScheduled, body: () => ({ bot_name: 'Renamed' }), full: 200, stranger: 404 },
  { id: 'deleteScheduledBot', aims: aimsAtScheduled, full: 200, stranger: 404 },
  { id: 'getBot', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'getBotStatus', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'getBotLive', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'getBotTranscript', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'listBotScreenshots', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'pauseBotRecording', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'resumeBotRecording', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'sendBotChatMessage', aims: aimsAtBot, body: () => ({ message: 'Hello.' }), full: 409, stranger: 404 },
  { id: 'updateBotConfig', aims: aimsAtBot, body: () => ({ extra: { order: 2 } }), full: 200, stranger: 404 },
  { id: 'renameSpeaker', aims: aimsAtBot, body: () => ({ speaker: 'Ann', name: 'Ada' }), full: 409, stranger: 404 },
  { id: 'retranscribeBot', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'retryBotCallback', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'leaveBot', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'resendBotWebhook', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'listBotCallbacks', aims: aimsAtBot, eventually: true, full: 200, stranger: 404 },
  { id: 'deleteBotData', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'createApiKey', body: () => ({ name: 'Theirs' }), full: 201, stranger: 201 },
  { id: 'listApiKeys', full: 200, stranger: 200 },
  { id: 'revokeApiKey', aims: aimsAtKey, full: 200, stranger: 404 },
  { id: 'listAuditLog', full: 200, stranger: 200 },
  { id: 'listDailyUsage', full: 200, stranger: 200 },
  { id: 'listBotUsage', full: 200, stranger: 200 },
  { id: 'searchTranscripts', query: () => ({ q: 'morning' }), full: 200, stranger: 200 },
  { id: 'listWebhookEventTypes', full: 200, stranger: 200 },
  { id: 'listNewWebhookMessages', full: 200, stranger: 200 },
  { id: 'listWebhookEndpoints', full: 200, stranger: 200 },
  {
    id: 'createWebhookEndpoint',
    body: () => ({ url: 'https://example.com/hook' }),
    full: 201,
    stranger: 201,
  },
  { id: 'getWebhookEndpoint', aims: aimsAtEndpoint, full: 200, stranger: 404 },
  { id: 'updateWebhookEndpoint', aims: aimsAtEndpoint, body: () => ({ name: 'Ours' }), full: 200, stranger: 404 },
  { id: 'testWebhookEndpoint', aims: aimsAtEndpoint, full: 200, stranger: 404 },
  { id: 'listWebhookMessages', aims: aimsAtEndpoint, full: 200, stranger: 404 },
  { id: 'listWebhookAttempts', aims: aimsAtMessage, full: 200, stranger: 404 },
  { id: 'resendWebhookMessage', aims: aimsAtMessage, full: 200, stranger: 404 },
  { id: 'rotateWebhookSecret', aims: aimsAtEndpoint, full: 200, stranger: 404 },
  { id: 'deleteWebhookEndpoint', aims: aimsAtEndpoint, full: 200, stranger: 404 },
  {
    id: 'createCalendar',
    body: () => ({ calendar_platform: 'google', ...strangeOauth, raw_calendar_id: 'primary' }),
    full: 401,
    stranger: 401,
  },
  { id: 'listCalendars', full: 200, stranger: 200 },
  { id: 'listRawCalendars', body: () => ({ calendar_platform: 'google', ...strangeOauth }), full: 401, stranger: 401 },
  { id: 'listCalendarProviders', full: 200, stranger: 200 },
  { id: 'startCalendarConsent', body: () => ({ calendar_platform: 'google' }), full: 201, stranger: 201 },
  { id: 'redeemCalendarConsent', body: () => ({ state: 'unknown', code: 'unknown' }), full: 404, stranger: 404 },
  {
    id: 'connectConsentedCalendar',
    aims: { consent_id: 'calendar_id' },
    body: () => ({ raw_calendar_id: 'primary' }),
    full: 404,
    stranger: 404,
  },
  { id: 'getCalendar', aims: aimsAtCalendar, full: 200, stranger: 404 },
  { id: 'updateCalendar', aims: aimsAtCalendar, body: () => strangeOauth, full: 401, stranger: 404 },
  { id: 'syncCalendar', aims: aimsAtCalendar, full: 200, stranger: 404 },
  { id: 'resubscribeCalendar', aims: aimsAtCalendar, full: 200, stranger: 404 },
  { id: 'listCalendarEvents', aims: aimsAtCalendar, full: 200, stranger: 404 },
  { id: 'listCalendarSeries', aims: aimsAtCalendar, full: 200, stranger: 404 },
  { id: 'getCalendarEvent', aims: aimsAtEvent, full: 200, stranger: 404 },
  {
    id: 'createCalendarBots',
    aims: aimsAtCalendar,
    body: (owned) => ({ ...onEvent(owned), bot_name: 'Guest' }),
    sending: true,
    full: 201,
    stranger: 404,
  },
  {
    id: 'updateCalendarBots',
    aims: aimsAtCalendar,
    body: (owned) => ({ ...onEvent(owned), bot_name: 'Renamed' }),
    full: 200,
    stranger: 404,
  },
  { id: 'deleteCalendarBots', aims: aimsAtCalendar, body: onEvent, full: 200, stranger: 404 },
  { id: 'createCalendarRule', body: () => rule, full: 201, stranger: 201 },
  { id: 'listCalendarRules', full: 200, stranger: 200 },
  { id: 'getCalendarSettings', full: 200, stranger: 200 },
  { id: 'setCalendarSettings', body: () => ({ own_domains: null }), full: 200, stranger: 200 },
  { id: 'dryRunCalendarRule', body: () => ({ conditions: {} }), full: 200, stranger: 200 },
  { id: 'updateCalendarRule', aims: aimsAtRule, body: () => ({ name: 'Still none' }), full: 200, stranger: 404 },
  { id: 'deleteCalendarRule', aims: aimsAtRule, full: 200, stranger: 404 },
  { id: 'deleteCalendar', aims: aimsAtCalendar, full: 200, stranger: 404 },
  { id: 'listZoomCredentials', full: 200, stranger: 200 },
  {
    id: 'createZoomCredential',
    body: () => ({ name: 'Theirs', client_id: 'an-app', client_secret: 'its-secret' }),
    full: 201,
    stranger: 201,
  },
  { id: 'getZoomCredential', aims: aimsAtCredential, full: 200, stranger: 404 },
  { id: 'updateZoomCredential', aims: aimsAtCredential, body: () => ({ name: 'Ours' }), full: 200, stranger: 404 },
  { id: 'deleteZoomCredential', aims: aimsAtCredential, full: 200, stranger: 404 },
  ...loginExpectations,
  // No response there: the access check fails before anything is stored.
  { id: 'putStorageConfig', body: () => unreachableStorage, full: 400, stranger: 400 },
  { id: 'getStorageConfig', full: 404, stranger: 404 },
  { id: 'testStorageConfig', full: 404, stranger: 404 },
  { id: 'deleteStorageConfig', full: 404, stranger: 404 },
  { id: 'getRetentionSettings', full: 200, stranger: 200 },
  { id: 'setRetentionSettings', body: () => ({ days: null }), full: 200, stranger: 200 },
];

const aimsAtLegacyCalendar = { uuid: 'legacy_calendar_id' } as const;
const aimsAtLegacyEvent = { uuid: 'legacy_event_id' } as const;
const legacyOauth = { ...strangeOauth, platform: 'Google' };
const aimsAtLegacyBot = { uuid: 'bot_id' } as const;

/** Every operation of the legacy document; the bot has ended by then and its data is deleted. */
export const expectationsOfLegacy: readonly Expectation[] = [
  { id: 'join', body: ({ legacy_url: meeting_url }) => ({ bot_name: 'Guest', meeting_url }), full: 200, stranger: 200 },
  { id: 'listBotsWithMetadata', full: 200, stranger: 200 },
  { id: 'getMeetingData', query: ({ bot_id }) => ({ bot_id }), full: 200, stranger: 404 },
  { id: 'getScreenshots', aims: aimsAtLegacyBot, full: 200, stranger: 404 },
  { id: 'retranscribe', body: ({ bot_id }) => ({ bot_uuid: bot_id }), full: 409, stranger: 404 },
  { id: 'leave', aims: aimsAtLegacyBot, full: 409, stranger: 404 },
  { id: 'deleteData', aims: aimsAtLegacyBot, full: 200, stranger: 404 },
  { id: 'describeWebhooks', full: 200, stranger: 200 },
  { id: 'describeBotWebhooks', full: 200, stranger: 200 },
  { id: 'addCalendar', body: () => legacyOauth, full: 401, stranger: 401 },
  { id: 'addCalendarByFormerPath', body: () => legacyOauth, full: 401, stranger: 401 },
  { id: 'listAllCalendars', full: 200, stranger: 200 },
  { id: 'listProviderCalendars', body: () => legacyOauth, full: 401, stranger: 401 },
  { id: 'resyncAllCalendars', full: 200, stranger: 200 },
  { id: 'readCalendar', aims: aimsAtLegacyCalendar, full: 200, stranger: 404 },
  { id: 'replaceCalendarCredentials', aims: aimsAtLegacyCalendar, body: () => legacyOauth, full: 401, stranger: 404 },
  { id: 'listEvents', query: ({ legacy_calendar_id: calendar_id }) => ({ calendar_id }), full: 200, stranger: 404 },
  { id: 'readEvent', aims: aimsAtLegacyEvent, full: 200, stranger: 404 },
  {
    id: 'scheduleEventBot',
    aims: aimsAtLegacyEvent,
    body: () => ({ bot_name: 'Guest', extra: {} }),
    full: 200,
    stranger: 404,
  },
  { id: 'updateEventBot', aims: aimsAtLegacyEvent, body: () => ({ bot_name: 'Renamed' }), full: 200, stranger: 404 },
  { id: 'cancelEventBot', aims: aimsAtLegacyEvent, full: 200, stranger: 404 },
  { id: 'removeCalendar', aims: aimsAtLegacyCalendar, full: 200, stranger: 404 },
];
