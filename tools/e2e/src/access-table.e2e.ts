import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApiDocument } from '@rapporteur/api-fuzz';
import type { Operation } from '@rapporteur/api-fuzz';
import { waitFor } from '@rapporteur/testbed';
import { expectationsOfLegacy, expectationsOfV2 } from './access-expectations.ts';
import type { Expectation, Owned } from './access-expectations.ts';
import { adminOf } from './admin-client.ts';
import { newDataFolder, removeDataFolder, startStackProcess } from './stack-process.ts';
import type { StackProcess } from './stack-process.ts';

/** Specification 5.4, byte for byte. */
const forbidden =
  '{"success":false,"error":"Forbidden","code":"FST_ERR_FORBIDDEN","statusCode":403,"message":"Forbidden"}';
const unknown: Readonly<Record<string, string>> = {
  bot_id: '7b8f0c1e-2d3a-4b5c-8d9e-0f1a2b3c4d5e',
  message_id: `msg_${'z'.repeat(26)}`,
};

const dataFolder = newDataFolder();
const keys = { full: '', sending: '', stranger: '', bad: `rap_${'0'.repeat(32)}_000000` };
let stack: StackProcess;
let owned: Owned;
/** Documents by generation, as served by the service. */
let documents: Readonly<Record<string, ApiDocument>>;

beforeAll(async () => {
  // A separate stack: it starts no bot, and one queued bot is sufficient.
  stack = await startStackProcess(dataFolder, ['--max-bots=0']);
  keys.full = stack.apiKey ?? '';
  const admin = adminOf(dataFolder);
  const [team] = await admin<{ team_id: string }[]>('GET', '/teams');
  await admin('PATCH', `/teams/${team?.team_id}`, { requests_per_second: 1_000 });
  keys.sending = (
    await admin<{ api_key: string }>('POST', `/teams/${team?.team_id}/keys`, { permission: 'sending' })
  ).api_key;
  const other = await admin<{ team_id: string; api_key: string }>('POST', '/teams', {
    name: 'Strangers',
    tokens: 3_600_000,
  });
  await admin('PATCH', `/teams/${other.team_id}`, { requests_per_second: 1_000 });
  keys.stranger = other.api_key;
  const [v2, legacy] = await Promise.all(['/openapi.json', '/openapi.legacy.json'].map(readDocument));
  documents = { v2, legacy } as Record<string, ApiDocument>;
  owned = await makeOwned();
}, 180_000);

afterAll(async () => {
  await stack?.interrupt();
  await removeDataFolder(dataFolder);
}, 60_000);

async function readDocument(path: string): Promise<ApiDocument> {
  return new ApiDocument(path, await (await fetch(`${stack.apiUrl}${path}`)).json());
}

function find(id: string): Operation & { readonly document: ApiDocument } {
  for (const document of Object.values(documents)) {
    const operation = document.operations.find((one) => one.id === id);
    if (operation !== undefined) return { ...operation, document };
  }
  throw new Error(`The service has no operation ${id}.`);
}

/** The first problem of a response by its documented schema; null: none. */
function problemOf(id: string, { status, text }: { readonly status: number; readonly text: string }): string | null {
  const { responses, document } = find(id);
  const schema = responses.get(status);
  if (schema === undefined) return `${status} is not documented`;
  return schema === null ? null : document.problemOf(schema, JSON.parse(text));
}

async function makeOwned(): Promise<Owned> {
  const { httpsPort } = (await (await fetch(`${stack.simulatorUrl}/info`)).json()) as { httpsPort: number };
  const [meeting_url, legacy_url] = ['abc-defg-hij', 'klm-nopq-rst'].map(
    (code) => `https://meet.simulator.localhost:${httpsPort}/${code}`,
  ) as [string, string];
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const post = async (path: string, body: unknown) =>
    JSON.parse((await send('POST', path, { key: keys.full, body })).text) as { data: Record<string, string> };
  const endpoint = await post('/v2/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' });
  const endpoint_id = endpoint.data['endpoint_id'] ?? '';
  const bot = await post('/v2/bots', {
    bot_name: 'Ours',
    meeting_url,
    callback_enabled: true,
    callback_config: { url: 'http://127.0.0.1:9/callback' },
  });
  const scheduled = await post('/v2/bots/scheduled', { bot_name: 'Ours', meeting_url, join_at: tomorrow });
  const credential = await post('/v2/zoom-credentials', { name: 'Ours', client_id: 'an-app', client_secret: 'secret' });
  const spare = await post('/v2/api-keys', { name: 'Spare' });
  const calendar = await ownCalendar('ours@example.com', meeting_url);
  const legacy = await ownCalendar('legacy@example.com', meeting_url);
  const conditions = { title_contains: 'nothing' };
  const rule = await post('/v2/calendar-rules', { name: 'Ours', conditions, bot: { bot_name: 'By rule' } });
  const logins = await makeLogins(post);
  const message = await waitFor(
    async () => {
      const { text } = await send('GET', `/v2/webhooks/endpoints/${endpoint_id}/messages`, { key: keys.full });
      return (JSON.parse(text) as { data: { message_id: string }[] }).data[0];
    },
    { what: 'the first webhook message' },
  );
  return {
    bot_id: bot.data['bot_id'] ?? '',
    scheduled_id: scheduled.data['bot_id'] ?? '',
    endpoint_id,
    message_id: message.message_id,
    credential_id: credential.data['credential_id'] ?? '',
    key_id: spare.data['key_id'] ?? '',
    ...calendar,
    rule_id: rule.data['rule_id'] ?? '',
    legacy_calendar_id: legacy.calendar_id,
    legacy_event_id: legacy.event_id,
    ...logins,
    meeting_url,
    legacy_url,
    tomorrow,
  };
}

/** A calendar of the simulator with one event, connected. */
async function ownCalendar(email: string, meetingUrl: string) {
  const simulate = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${stack.simulatorUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as { connection: object };
  };
  const { connection } = await simulate('/calendars', { platform: 'google', email });
  const start = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 19);
  await simulate(`/calendars/${email}/events`, { start, meetingUrl });
  const made = await send('POST', '/v2/calendars', { key: keys.full, body: connection });
  const { calendar_id } = (JSON.parse(made.text) as { data: { calendar_id: string } }).data;
  const { series_id, event_id } = await waitFor(
    async () => {
      const { text } = await send('GET', `/v2/calendars/${calendar_id}/events`, { key: keys.full });
      return (JSON.parse(text) as { data: { series_id: string; event_id: string }[] }).data[0];
    },
    { what: 'the event of a calendar' },
  );
  return { calendar_id, series_id, event_id };
}

async function makeLogins(post: (path: string, body: unknown) => Promise<{ data: Record<string, string> }>) {
  const login = { name: 'Ours', email: 'first@ours.example' };
  const meet = await post('/v2/meet-workspaces', { domain: 'ours.example', generate_keypair: true });
  const meet_workspace_id = meet.data['workspace_id'] ?? '';
  const meetLogin = await post('/v2/meet-logins', { ...login, workspace_id: meet_workspace_id });
  const teams = await post('/v2/teams-workspaces', { domain: 'ours.example' });
  const teams_workspace_id = teams.data['workspace_id'] ?? '';
  const secret = { password: 'a password', workspace_id: teams_workspace_id };
  const teamsLogin = await post('/v2/teams-logins', { ...login, ...secret });
  return {
    meet_workspace_id,
    meet_login_id: meetLogin.data['credential_id'] ?? '',
    teams_workspace_id,
    teams_login_id: teamsLogin.data['credential_id'] ?? '',
  };
}

async function send(method: string, path: string, { key, body }: { key?: string | undefined; body?: unknown }) {
  const response = await fetch(`${stack.apiUrl}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-service-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  return { status: response.status, text: await response.text() };
}

function call(expectation: Expectation, target: Owned, key: string | undefined) {
  const operation = find(expectation.id);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const at = expectation.aims?.[name];
    if (at === undefined) throw new Error(`The row of ${expectation.id} has no target for ${name}.`);
    return target[at];
  });
  const query = new URLSearchParams(expectation.query?.(target)).toString();
  const body = expectation.body?.(target);
  return send(operation.method, query === '' ? path : `${path}?${query}`, { key, body });
}

const nonexistent = (): Owned => ({
  ...owned,
  bot_id: unknown['bot_id'] ?? '',
  scheduled_id: unknown['bot_id'] ?? '',
  endpoint_id: unknown['bot_id'] ?? '',
  credential_id: unknown['bot_id'] ?? '',
  key_id: unknown['bot_id'] ?? '',
  message_id: unknown['message_id'] ?? '',
});

/** Ids of the first team, which must not appear in responses to other teams. */
const secrets = () => [
  owned.bot_id,
  owned.scheduled_id,
  owned.endpoint_id,
  owned.message_id,
  owned.credential_id,
  owned.key_id,
];

/** A team's audit log has its own failed requests; that reveals nothing about another team's objects. */
function withoutOwnAttempts(text: string): string {
  if (!text.includes('"entry_id"')) return text;
  const { data } = JSON.parse(text) as { data: { status: number }[] };
  return JSON.stringify(data.filter(({ status }) => status < 400));
}

describe.each([
  ['v2', expectationsOfV2],
  ['legacy', expectationsOfLegacy],
])('who may do what, %s', (generation, expectations) => {
  test('every operation of the document has its row here, and every row its operation', () => {
    const documented = documents[generation]?.operations.map(({ id }) => id) ?? [];
    expect(expectations.map(({ id }) => id).sort()).toEqual(documented.sort());
  });

  test.each(expectations)('$id', async (expectation) => {
    for (const key of [undefined, keys.bad]) {
      expect(await call(expectation, owned, key)).toEqual({ status: 403, text: forbidden });
    }
    const stranger = await call(expectation, owned, keys.stranger);
    expect(stranger).toMatchObject({ status: expectation.stranger });
    if (expectation.stranger === 404) expect(stranger).toEqual(await call(expectation, nonexistent(), keys.stranger));
    for (const secret of secrets()) expect(withoutOwnAttempts(stranger.text)).not.toContain(secret);

    const sending = await call(expectation, owned, keys.sending);
    if (expectation.sending === true) expect(sending.status).toBe(expectation.full);
    else expect(sending).toEqual({ status: 403, text: forbidden });

    let full = await call(expectation, owned, keys.full);
    if (expectation.eventually === true) {
      const again = async () =>
        (full = await call(expectation, owned, keys.full)).status === expectation.full ? full : null;
      full = await waitFor(again, { what: `${expectation.id} to respond with ${expectation.full}` });
    }
    expect({ ...full, text: full.status === expectation.full ? '' : full.text }).toEqual({
      status: expectation.full,
      text: '',
    });
    const problems = [full, stranger, await call(expectation, owned, undefined)].map((one) =>
      problemOf(expectation.id, one),
    );
    expect(problems).toEqual([null, null, null]);
  });
});

describe('a Sending Access key', () => {
  test('may post to the routes of specification 5.2 and to nothing else', () => {
    const routes = [...expectationsOfV2, ...expectationsOfLegacy]
      .filter(({ sending }) => sending === true)
      .map(({ id }) => `${find(id).method} ${find(id).path}`);
    expect(routes.sort()).toEqual([
      'POST /v2/bots',
      'POST /v2/bots/batch',
      'POST /v2/bots/scheduled',
      'POST /v2/bots/scheduled/batch',
      'POST /v2/calendars/{calendar_id}/bots',
    ]);
  });
});
