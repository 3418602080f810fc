import { freeObject } from '../values/valid.ts';
import { meetLink } from '../values/meanings.ts';
import { calendarLife, legacyCalendarLife } from './calendar-stories.ts';
import type { Planner } from './plan.ts';
import { sendRequest, dataOf, differs, listHas, statusIs } from './story-steps.ts';
import type { Json, Step, Story, StoryDependencies } from './story-steps.ts';

/** The stories whose operations this document has. */
export function storiesOf(planner: Planner): readonly ((dependencies: StoryDependencies) => Story)[] {
  const all = [
    ['createBot', botLife],
    ['scheduleBot', scheduledLife],
    ['createWebhookEndpoint', endpointLife],
    ['createZoomCredential', credentialLife],
    ['createMeetWorkspace', meetLoginLife],
    ['createTeamsWorkspace', teamsLoginLife],
    ['createCalendarRule', calendarRuleLife],
    ['createCalendar', calendarLife],
    ['addCalendar', legacyCalendarLife],
    ['createApiKey', keyLife],
    ['listBotUsage', usageReads],
    ['putStorageConfig', noStorage],
    ['join', legacyLife],
  ] as const;
  return all.filter(([id]) => planner.operation(id) !== null).map(([, story]) => story);
}

function* botLife({ planner, random }: StoryDependencies): Story {
  const name = random.pick(['Rapporteur', 'Ρ 🎥 e\u0301', "O'Brien; --", ' spaces ', 'x'.repeat(255)]);
  let extra: unknown = random.chance(0.3) ? null : random.sample(freeObject());
  const value = {
    bot_name: name,
    meeting_url: random.sample(meetLink),
    extra,
    callback_enabled: true,
    callback_config: { url: 'https://callbacks.invalid/done', secret: 'of this bot' },
  };
  yield sendRequest(planner, 'preflightBot', { value, check: statusIs(200) });
  const created = yield sendRequest(planner, 'createBot', { value, check: statusIs(201) });
  const botId = dataOf(created)['bot_id'];
  if (typeof botId !== 'string') return;
  const path = { bot_id: botId };
  const details = (): Step =>
    sendRequest(planner, 'getBot', {
      path,
      check: (response) =>
        statusIs(200)(response) ??
        differs('bot_name', dataOf(response)['bot_name'], name) ??
        differs('extra', dataOf(response)['extra'], extra),
    });
  yield details();
  const change = random.chance(0.2) ? null : random.sample(freeObject());
  if (planner.operation('updateBotConfig') !== null) {
    const updated = yield sendRequest(planner, 'updateBotConfig', {
      path,
      value: { extra: change },
      check: statusIs(200),
    });
    if (updated.status === 200) extra = change === null ? null : { ...(extra as Json | null), ...change };
    yield details();
  }
  for (const id of ['getBotStatus', 'listBotScreenshots'])
    if (planner.operation(id) !== null) yield sendRequest(planner, id, { path, check: statusIs(200) });
  if (planner.operation('listBots') !== null)
    yield sendRequest(planner, 'listBots', { query: { bot_id: botId }, check: listHas(botId) });
  for (const id of ['deleteBotData', 'resendBotWebhook', 'retryBotCallback'])
    if (planner.operation(id) !== null) yield sendRequest(planner, id, { path, check: statusIs(409) });
  yield sendRequest(planner, 'leaveBot', { path, check: statusIs(200) });
  yield sendRequest(planner, 'leaveBot', { path, check: statusIs(409) });
  if (planner.operation('resendBotWebhook') !== null)
    yield sendRequest(planner, 'resendBotWebhook', { path, check: statusIs(200) });
  // Another service delivers the callback shortly after the end.
  if (planner.operation('listBotCallbacks') !== null)
    yield sendRequest(planner, 'listBotCallbacks', {
      path,
      check: (response) => (response.status === 404 ? null : statusIs(200)(response)),
    });
  if (planner.operation('deleteBotData') === null) return;
  yield sendRequest(planner, 'deleteBotData', { path, check: statusIs(200) });
  yield sendRequest(planner, 'getBot', {
    path,
    check: (response) =>
      statusIs(200)(response) ?? differs('artifacts_deleted', dataOf(response)['artifacts_deleted'], true),
  });
}

function* scheduledLife({ planner, random }: StoryDependencies): Story {
  const joinAt = new Date(Date.now() + (5 + random.below(100_000)) * 60_000).toISOString();
  const extra = random.sample(freeObject());
  const created = yield sendRequest(planner, 'scheduleBot', {
    value: { bot_name: 'Later', meeting_url: random.sample(meetLink), join_at: joinAt, extra },
    check: statusIs(201),
  });
  const botId = dataOf(created)['bot_id'];
  if (typeof botId !== 'string') return;
  const path = { bot_id: botId };
  const seen = (name: string): Step =>
    sendRequest(planner, 'getScheduledBot', {
      path,
      check: (response) =>
        statusIs(200)(response) ??
        differs('bot_name', dataOf(response)['bot_name'], name) ??
        differs('extra', dataOf(response)['extra'], extra) ??
        differs('join_at', Date.parse(String(dataOf(response)['join_at'])), Date.parse(joinAt)),
    });
  yield seen('Later');
  yield sendRequest(planner, 'updateScheduledBot', { path, value: { bot_name: 'Renamed' }, check: statusIs(200) });
  yield seen('Renamed');
  yield sendRequest(planner, 'listScheduledBots', { query: { bot_id: botId }, check: listHas(botId) });
  yield sendRequest(planner, 'deleteScheduledBot', { path, check: statusIs(200) });
  yield sendRequest(planner, 'getScheduledBot', {
    path,
    check: (response) => statusIs(200)(response) ?? differs('status', dataOf(response)['status'], 'cancelled'),
  });
  yield sendRequest(planner, 'updateScheduledBot', { path, value: { bot_name: 'Too late' }, check: statusIs(409) });
  yield sendRequest(planner, 'deleteScheduledBot', { path, check: statusIs(409) });
}

function* endpointLife({ planner, random }: StoryDependencies): Story {
  const created = yield sendRequest(planner, 'createWebhookEndpoint', {
    value: { url: `https://hooks.invalid/${random.below(1e9)}`, name: 'fuzz', enabled: false },
    check: (response) => (response.status === 409 ? null : statusIs(201)(response)),
  });
  const endpointId = dataOf(created)['endpoint_id'];
  if (typeof endpointId !== 'string') return;
  const path = { endpoint_id: endpointId };
  yield sendRequest(planner, 'updateWebhookEndpoint', { path, value: { name: 'renamed' }, check: statusIs(200) });
  yield sendRequest(planner, 'getWebhookEndpoint', {
    path,
    check: (response) => statusIs(200)(response) ?? differs('name', dataOf(response)['name'], 'renamed'),
  });
  yield sendRequest(planner, 'rotateWebhookSecret', { path, check: statusIs(200) });
  const tested = yield sendRequest(planner, 'testWebhookEndpoint', { path, check: statusIs(200) });
  const messageId = dataOf(tested)['message_id'];
  if (typeof messageId === 'string')
    for (const id of ['listWebhookAttempts', 'resendWebhookMessage'])
      yield sendRequest(planner, id, { path: { message_id: messageId }, check: statusIs(200) });
  yield sendRequest(planner, 'listWebhookMessages', { path, check: statusIs(200) });
  yield sendRequest(planner, 'deleteWebhookEndpoint', { path, check: statusIs(200) });
  yield sendRequest(planner, 'getWebhookEndpoint', { path, check: statusIs(404) });
}

function* credentialLife({ planner, random }: StoryDependencies): Story {
  const extra = random.sample(freeObject());
  const created = yield sendRequest(planner, 'createZoomCredential', {
    value: { name: 'fuzz', client_id: 'an-app', client_secret: `secret-${random.below(1e9)}`, extra },
    check: (response) =>
      statusIs(201)(response) ?? (response.text.includes('secret-') ? 'the response holds the secret' : null),
  });
  const credentialId = dataOf(created)['credential_id'];
  if (typeof credentialId !== 'string') return;
  const path = { credential_id: credentialId };
  const code = {
    authorization_code: `made-up-${random.below(1e9)}`,
    redirect_uri: 'https://customers.invalid/callback',
  };
  yield sendRequest(planner, 'updateZoomCredential', { path, value: code, check: statusIs(422) });
  yield sendRequest(planner, 'updateZoomCredential', { path, value: { name: 'renamed' }, check: statusIs(200) });
  yield sendRequest(planner, 'getZoomCredential', {
    path,
    check: (response) =>
      statusIs(200)(response) ??
      differs('name', dataOf(response)['name'], 'renamed') ??
      differs('state', dataOf(response)['state'], 'active') ??
      differs('extra', dataOf(response)['extra'], extra),
  });
  yield sendRequest(planner, 'listZoomCredentials', { query: { name: 'renamed' }, check: statusIs(200) });
  yield sendRequest(planner, 'deleteZoomCredential', { path, check: statusIs(200) });
  yield sendRequest(planner, 'getZoomCredential', { path, check: statusIs(404) });
}

/** No bucket passes the access check here, so the team never has a configuration. */
function* noStorage({ planner }: StoryDependencies): Story {
  for (const id of ['getStorageConfig', 'testStorageConfig', 'deleteStorageConfig'])
    yield sendRequest(planner, id, { check: statusIs(404) });
}

function* legacyLife({ planner, random }: StoryDependencies): Story {
  const extra = random.sample(freeObject());
  const joined = yield sendRequest(planner, 'join', {
    value: { bot_name: 'First generation', meeting_url: random.sample(meetLink), extra },
    check: statusIs(200),
  });
  const uuid = (joined.json as Json | undefined)?.['bot_id'];
  if (typeof uuid !== 'string') return;
  const path = { uuid };
  yield sendRequest(planner, 'getMeetingData', { query: { bot_id: uuid }, check: statusIs(200) });
  yield sendRequest(planner, 'listBotsWithMetadata', {
    query: { bot_name: 'first GENERATION' },
    check: (response) => {
      const { bots = [] } = (response.json ?? {}) as { bots?: Json[] };
      const mine = bots.find((bot) => bot['uuid'] === uuid);
      return statusIs(200)(response) ?? differs('extra', mine?.['extra'], extra);
    },
  });
  yield sendRequest(planner, 'getScreenshots', { path, check: statusIs(200) });
  yield sendRequest(planner, 'leave', { path, check: statusIs(200) });
  // Five times a minute, whichever bot it is.
  yield sendRequest(planner, 'deleteData', {
    path,
    check: (response) => (response.status === 429 ? null : statusIs(200)(response)),
  });
}

/** A key that is created, listed, revoked twice, and found in the audit log with its changes. */
function* keyLife({ planner, random }: StoryDependencies): Story {
  const permission = random.pick(['full', 'sending']);
  const created = yield sendRequest(planner, 'createApiKey', {
    value: { name: 'fuzz', permission, expires_at: random.pick([null, '2126-01-01T00:00:00Z']) },
    check: (response) => (response.status === 409 ? null : statusIs(201)(response)),
  });
  const { key_id: keyId, api_key: text } = dataOf(created);
  if (typeof keyId !== 'string' || typeof text !== 'string') return;
  yield sendRequest(planner, 'listApiKeys', {
    check: (response) =>
      statusIs(200)(response) ??
      differs('permission', rowsOf(response.json).find((row) => row['key_id'] === keyId)?.['permission'], permission) ??
      (response.text.includes(text) ? 'the list holds the text of a key' : null),
  });
  const path = { key_id: keyId };
  for (let count = 0; count < 2; count += 1) yield sendRequest(planner, 'revokeApiKey', { path, check: statusIs(200) });
  yield sendRequest(planner, 'listAuditLog', {
    query: { limit: '100' },
    check: (response) => statusIs(200)(response) ?? (response.text.includes(text) ? 'the log holds a key' : null),
  });
}

/** Usage of a period: its days and its bots are inside it, page by page, and as CSV. */
function* usageReads({ planner, random }: StoryDependencies): Story {
  const before = new Date(Date.now() - random.below(40) * 86_400_000).toISOString();
  const after = new Date(Date.parse(before) - (1 + random.below(60)) * 86_400_000).toISOString();
  const period = { ended_after: after, ended_before: before };
  yield sendRequest(planner, 'listDailyUsage', {
    query: period,
    check: (response) =>
      statusIs(200)(response) ??
      differs(
        'days outside the period',
        rowsOf(response.json).filter(
          ({ day }) => String(day) < after.slice(0, 10) || String(day) > before.slice(0, 10),
        ),
        [],
      ),
  });
  let cursor: unknown;
  for (let page = 0; page < 3 && cursor !== null; page += 1) {
    const found = yield sendRequest(planner, 'listBotUsage', {
      query: { ...period, limit: '2', ...(typeof cursor === 'string' ? { cursor } : {}) },
      check: (response) =>
        statusIs(200)(response) ??
        differs(
          'bots outside the period',
          rowsOf(response.json).filter(({ ended_at: at }) => String(at) < after || String(at) >= before),
          [],
        ),
    });
    const next = ((found.json ?? {}) as Json)['cursor'] ?? null;
    yield sendRequest(planner, 'listBotUsage', {
      query: { ...period, limit: '2', ...(typeof cursor === 'string' ? { cursor } : {}) },
      headers: { accept: 'text/csv' },
      check: (response) =>
        statusIs(200)(response) ??
        differs(
          'bots of the CSV',
          response.text
            .trimEnd()
            .split('\r\n')
            .slice(1)
            .map((line) => line.split(',')[0]),
          rowsOf(found.json).map((row) => row['bot_id']),
        ) ??
        differs('a next page', response.headers['link'] !== undefined, next !== null),
    });
    cursor = next;
  }
}

function rowsOf(json: unknown): readonly Json[] {
  return ((json as Json | undefined)?.['data'] ?? []) as Json[];
}

/** A domain with one account, from its creation to its deletion; no response contains the secret. */
interface LoginKind {
  readonly name: 'Meet' | 'Teams';
  readonly workspace: Readonly<Record<string, unknown>>;
  readonly login: Readonly<Record<string, unknown>>;
}

function* meetLoginLife(parts: StoryDependencies): Story {
  yield* loginLife(parts, { name: 'Meet', workspace: { generate_keypair: true }, login: {} });
}

function* teamsLoginLife(parts: StoryDependencies): Story {
  yield* loginLife(parts, { name: 'Teams', workspace: {}, login: { password: 'an unused password' } });
}

function* loginLife(parts: StoryDependencies, kind: LoginKind): Story {
  const { planner, random } = parts;
  const { name } = kind;
  const domain = `d${random.below(1e9)}.example`;
  const created = yield sendRequest(planner, `create${name}Workspace`, {
    value: { domain, ...kind.workspace },
    // Another worker may have taken the same domain.
    check: (response) => (response.status === 409 ? null : statusIs(201)(response)),
  });
  const workspaceId = dataOf(created)['workspace_id'];
  if (typeof workspaceId !== 'string') return;
  const path = { workspace_id: workspaceId };
  yield sendRequest(planner, `create${name}Workspace`, { value: { domain, ...kind.workspace }, check: statusIs(409) });
  yield sendRequest(planner, `update${name}Workspace`, { path, value: { name: 'renamed' }, check: statusIs(200) });
  yield sendRequest(planner, `get${name}Workspace`, {
    path,
    check: (response) =>
      statusIs(200)(response) ??
      differs('name', dataOf(response)['name'], 'renamed') ??
      (response.text.includes('PRIVATE KEY') ? 'the response holds the private key' : null),
  });
  if (name === 'Meet') yield sendRequest(planner, 'verifyMeetWorkspace', { path, check: statusIs(200) });
  yield* accountLife(parts, kind, { domain, workspaceId });
  yield sendRequest(planner, `delete${name}Workspace`, { path, check: statusIs(200) });
  yield sendRequest(planner, `get${name}Workspace`, { path, check: statusIs(404) });
}

function* accountLife(
  { planner }: StoryDependencies,
  { name, login }: LoginKind,
  { domain, workspaceId }: { readonly domain: string; readonly workspaceId: string },
): Story {
  const account = { name: 'fuzz', workspace_id: workspaceId, ...login };
  // A Microsoft tenant has accounts of several domains.
  const foreign = { ...account, email: 'bot@elsewhere.example' };
  if (name === 'Meet') yield sendRequest(planner, 'createMeetLogin', { value: foreign, check: statusIs(422) });
  const created = yield sendRequest(planner, `create${name}Login`, {
    value: { ...account, email: `bot@${domain}` },
    check: (response) =>
      statusIs(201)(response) ?? (response.text.includes('a password of') ? 'the response holds the password' : null),
  });
  const credentialId = dataOf(created)['credential_id'];
  if (typeof credentialId !== 'string') return;
  const path = { credential_id: credentialId };
  yield sendRequest(planner, `update${name}Login`, { path, value: { name: 'renamed' }, check: statusIs(200) });
  yield sendRequest(planner, `get${name}Login`, {
    path,
    check: (response) =>
      statusIs(200)(response) ??
      differs('name', dataOf(response)['name'], 'renamed') ??
      differs('state', dataOf(response)['state'], 'active'),
  });
  yield sendRequest(planner, `delete${name}Login`, { path, check: statusIs(200) });
  yield sendRequest(planner, `get${name}Login`, { path, check: statusIs(404) });
}

function* calendarRuleLife({ planner, random }: StoryDependencies): Story {
  const created = yield sendRequest(planner, 'createCalendarRule', {
    value: { name: `rule ${random.below(1e9)}`, conditions: { only_accepted: true }, bot: { bot_name: 'By rule' } },
    check: statusIs(201),
  });
  const ruleId = dataOf(created)['rule_id'];
  if (typeof ruleId !== 'string') return;
  const path = { rule_id: ruleId };
  yield sendRequest(planner, 'updateCalendarRule', { path, value: { enabled: false }, check: statusIs(200) });
  yield sendRequest(planner, 'dryRunCalendarRule', {
    value: { conditions: { title_contains: 'weekly' } },
    check: statusIs(200),
  });
  yield sendRequest(planner, 'deleteCalendarRule', { path, check: statusIs(200) });
  yield sendRequest(planner, 'deleteCalendarRule', { path, check: statusIs(404) });
}
