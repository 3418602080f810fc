/** What the first team has, for the table to aim at. */
export interface Owned {
  readonly bot_id: string;
  readonly scheduled_id: string;
  readonly endpoint_id: string;
  readonly message_id: string;
  readonly credential_id: string;
  readonly meet_workspace_id: string;
  readonly meet_login_id: string;
  readonly teams_workspace_id: string;
  readonly teams_login_id: string;
  /** A link that is understood. */
  readonly meeting_url: string;
  /** Another: the first generation refuses a second bot for the same meeting. */
  readonly legacy_url: string;
  /** ISO 8601, a day ahead. */
  readonly tomorrow: string;
}

export interface Expectation {
  readonly id: string;
  /** Names of the path parameters and what of the first team they point at. */
  readonly aims?: Readonly<Record<string, keyof Owned>>;
  readonly query?: (owned: Owned) => Readonly<Record<string, string>>;
  readonly body?: (owned: Owned) => unknown;
  /** True for the routes of specification 5.2. */
  readonly sending?: true;
  /** True where it takes a moment until the team itself gets that. */
  readonly eventually?: true;
  /** What a Full Access key of the team itself gets. */
  readonly full: number;
  /** What one of another team gets. 404: it is as if there were no such thing; else it sees and changes its own only. */
  readonly stranger: number;
}

const aimsAtBot = { bot_id: 'bot_id' } as const;
const aimsAtScheduled = { bot_id: 'scheduled_id' } as const;
const aimsAtEndpoint = { endpoint_id: 'endpoint_id' } as const;
const aimsAtMessage = { message_id: 'message_id' } as const;
const aimsAtCredential = { credential_id: 'credential_id' } as const;
const bot = ({ meeting_url }: Owned) => ({ bot_name: 'Guest', meeting_url });
const later = (owned: Owned) => ({ ...bot(owned), join_at: owned.tomorrow });

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
 * Every operation of the v2 document, in an order in which each still finds what it needs: the bot is queued until leaveBot
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
  { id: 'listBotScreenshots', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'pauseBotRecording', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'resumeBotRecording', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'sendBotChatMessage', aims: aimsAtBot, body: () => ({ message: 'Hello.' }), full: 409, stranger: 404 },
  { id: 'updateBotConfig', aims: aimsAtBot, body: () => ({ extra: { order: 2 } }), full: 200, stranger: 404 },
  { id: 'retranscribeBot', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'retryBotCallback', aims: aimsAtBot, full: 409, stranger: 404 },
  { id: 'leaveBot', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'resendBotWebhook', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'listBotCallbacks', aims: aimsAtBot, eventually: true, full: 200, stranger: 404 },
  { id: 'deleteBotData', aims: aimsAtBot, full: 200, stranger: 404 },
  { id: 'listWebhookEventTypes', full: 200, stranger: 200 },
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
];

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
];
