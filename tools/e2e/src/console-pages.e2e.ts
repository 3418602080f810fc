import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startRadosgw } from '@rapporteur/object-store/testing';
import type { S3Server, S3User } from '@rapporteur/object-store/testing';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Page } from 'playwright-core';
import { waitFor } from '@rapporteur/testbed';
import { inspectPage, openConsoleBrowser, signIn } from './console-browser.ts';
import type { ConsoleBrowser } from './console-browser.ts';
import { fleet, pageChecks } from './operator-views.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

/** Kept after the test, for inspection. */
const shots = join(tmpdir(), 'rapporteur-console-screenshots');
const buckets = { artifacts: 'recordings', fragments: 'chunks', evidence: 'evidence' };
let server: S3Server;
let users: { readonly ingest: S3User; readonly service: S3User };
let team: OwnTeam;
let browser: ConsoleBrowser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  server = await startRadosgw();
  users = { ingest: await server.createUser('ingest'), service: await server.createUser('service') };
  for (const bucket of Object.values(buckets)) {
    await server.createBucket(bucket);
    await server.setPolicy(bucket, { full: ['service'], write: ['ingest'] });
  }
  team = await createOwnTeam();
  browser = await openConsoleBrowser(team.apiUrl);
  page = browser.page;
  await signIn(page, team);
  await page.getByRole('heading', { name: 'No bots yet' }).waitFor();
  browser.offences.splice(0);
}, 240_000);

afterEach(() => {
  expect(browser.offences.splice(0)).toEqual([]);
});

afterAll(async () => {
  await browser?.stop();
  await server?.stop();
}, 60_000);

const inspect = async (name: string): Promise<void> => void problems.push(...(await inspectPage(page, name, shots)));
const open = (path: string): Promise<unknown> => page.goto(`${team.apiUrl}/console${path}`);
const create = async (path: string, body: object): Promise<Record<string, string>> => {
  const { status, body: created } = await team.api.call<{ data: Record<string, string> }>('POST', path, body);
  if (status >= 300) throw new Error(`POST ${path}: status ${status}, ${JSON.stringify(created)}`);
  return created.data;
};

test('calendars show the next meetings, and the rule by which one gets a bot', async () => {
  const account = { platform: 'google', email: `ada-${randomUUID()}@pages.example.com` };
  const { id, connection } = await team.simulator.create<{ id: string; connection: Record<string, string> }>(
    '/calendars',
    account,
  );
  await open('/calendars');
  await inspect('calendars-empty');
  await page.getByText('Connect a calendar with an OAuth app of your own', { exact: true }).click();
  for (const [label, field] of [
    ['OAuth client id', 'oauth_client_id'],
    ['OAuth client secret', 'oauth_client_secret'],
    ['Refresh token of the account', 'oauth_refresh_token'],
    ['Calendar', 'raw_calendar_id'],
  ] as const)
    await page.getByLabel(new RegExp(`^${label}`)).fill(connection[field] ?? '');
  await page.getByRole('button', { name: 'Connect it' }).click();
  await page.getByText(`The calendar of ${account.email} is connected.`).waitFor();
  await page.getByText('Add a rule', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Recorded meetings');
  await page.getByLabel('Name of its bots').fill('By the rule');
  await page.getByLabel('The title contains').fill('recorded');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('0 of 0 meetings of the next two weeks would get a bot.').waitFor();
  await page.getByLabel('Only try it').uncheck();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('The rule “Recorded meetings” is added.').waitFor();
  const start = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
  for (const [title, code] of [
    ['Recorded planning', 'abc-defg-hij'],
    ['Lunch', 'abc-defg-hik'],
  ]) {
    const meeting = { title, start, meetingUrl: `https://meet.google.com/${code}` };
    await team.simulator.create(`/calendars/${encodeURIComponent(id)}/events`, meeting);
  }
  await open('/calendars');
  await page.getByRole('button', { name: `Synchronize now: ${account.email}` }).click();
  await page.getByText('The calendar is synchronized.').waitFor();
  const meetings = page.getByRole('listitem').filter({ hasText: 'Recorded planning' });
  await waitFor(
    async () => {
      await open('/calendars');
      await meetings.first().waitFor();
      return (await meetings.first().getByText('Gets a bot').count()) > 0;
    },
    { what: 'the meeting to get a bot' },
  );
  await meetings.first().getByText('The title contains the text.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Lunch' }).getByText('No bot', { exact: true }).waitFor();
  await inspect('calendars-filled');
});

test('a calendar is connected by the consent of its owner, and a declined one says so', async () => {
  const email = `grace-${randomUUID()}@pages.example.com`;
  await team.simulator.create('/calendars', { platform: 'google', email });
  const begin = async (): Promise<void> => {
    await open('/calendars');
    await page.getByRole('button', { name: 'Connect Google Calendar' }).click();
    await page.getByRole('heading', { name: 'Rapporteur wants to access your Google account' }).waitFor();
  };
  await begin();
  await page.getByLabel('Account').selectOption(email);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Choose a calendar from Google Calendar' }).waitFor();
  expect(page.url()).toBe(`${team.apiUrl}/console/calendars`);
  await inspect('calendars-consent');
  await page.getByRole('button', { name: 'Connect this calendar' }).press('Enter');
  await page.getByText(`The calendar of ${email} is connected.`).waitFor();
  await page.getByRole('heading', { name: email }).waitFor();
  await begin();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('The consent was declined at Google. Nothing was connected.').waitFor();
  await inspect('calendars-declined');
  // The provider's page, and the API's refusal.
  const expected = /^request to \S+\/google\/o\/oauth2\/v2\/auth|status of 403/;
  browser.offences.splice(0, Infinity, ...browser.offences.filter((offence) => !expected.test(offence)));
}, 120_000);

test('the search says that no transcript has the words', async () => {
  await open('/search');
  await inspect('search-empty');
  await page.getByLabel(/words that were said/).fill('"next quarter"');
  await page.getByRole('heading', { name: 'No transcript has these words' }).waitFor();
  await inspect('search-none');
});

test('logins show the domain, its check, and the sessions in use', async () => {
  const domain = 'pages.example.com';
  await open('/logins');
  await page.getByText('Register a Google Workspace domain').click();
  await page.getByLabel('Domain', { exact: true }).fill(domain);
  await page.getByRole('button', { name: 'Register it' }).first().click();
  await page.getByText(`${domain} is registered.`).waitFor();
  await inspect('logins-registered');
  const fact = (name: string) => page.locator(`dt:text-is("${name}") + dd`).innerText();
  const [signInUrl, certificate] = [await fact('Sign-in page URL'), await fact('Certificate')];
  await page.getByText('Add a login').first().click();
  await page.getByLabel('Email', { exact: true }).first().fill(`one@${domain}`);
  await page.getByLabel(/^Name/).first().fill('One');
  await page.getByLabel('Group').first().fill(`all@${domain}`);
  await page.getByRole('button', { name: 'Add the login' }).click();
  await team.simulator.post('/google-domains', { domain, signInUrl, certificates: [certificate] });
  await page.getByRole('rowheader', { name: `one@${domain}` }).waitFor();
  await page.getByText(/0 of \d+ sessions in use; 1 active login/).waitFor();
  await page.getByRole('button', { name: `Verify: ${domain}` }).click();
  await page.getByText(/^(Everything|Not everything) is in order/).waitFor();
  await page.getByText('idp redirects to us').waitFor();
  await inspect('logins-filled');
});

test('a scheduled bot is changed, and an endpoint gets other events and another secret', async () => {
  const meeting_url = 'https://meet.google.com/abc-defg-hij';
  const join_at = new Date(Date.now() + 86_400_000).toISOString();
  await create('/v2/bots/scheduled', { bot_name: 'Tomorrow', meeting_url, join_at });
  await open('/scheduled?bot_name=Tomorrow');
  await page.getByRole('link', { name: 'Tomorrow' }).click();
  await page.getByText('Change it').click();
  await page.getByLabel('Name of the bot').fill('The day after');
  await inspect('scheduled-bot');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'The day after' }).waitFor();
  const { endpoint_id: id } = await create('/v2/webhooks/endpoints', {
    url: 'https://hooks.example.com/a',
    name: 'Hook',
  });
  await open(`/webhooks/${id}`);
  await page.getByText('Change it').click();
  await page.getByLabel('bot.chat_message').uncheck();
  await inspect('endpoint-settings');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Give it a new secret' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByText(/it is not shown again: whsec_/).waitFor();
  await open('/webhooks');
  await page.getByText('bot.status_change, bot.completed, bot.failed, bot.chat_status', { exact: true }).waitFor();
});

test('storage of the team is checked, saved, tested and removed', async () => {
  await open('/storage');
  await page.getByText('The service stores your recordings').waitFor();
  const { ingest, service } = users;
  await page.getByRole('textbox', { name: 'Address' }).fill(server.endpoint);
  for (const [label, value] of [
    ['Region', server.region],
    ['Bucket of recordings and transcripts', buckets.artifacts],
    ['Bucket of fragments', buckets.fragments],
    ['Bucket of evidence', buckets.evidence],
    ['Ingest key id', ingest.accessKeyId],
    ['Ingest secret key', ingest.secretAccessKey],
    ['Service key id', service.accessKeyId],
    ['Service secret key', service.secretAccessKey],
  ] as const)
    await page.getByLabel(label).fill(value);
  await page.getByLabel('Path-style addresses').check();
  await page.getByRole('button', { name: 'Check and save' }).click();
  await page.getByRole('heading', { name: server.endpoint }).waitFor();
  // The browser itself reports that there was no configuration.
  expect(browser.offences.splice(0).every((text) => text.includes('status of 404'))).toBe(true);
  await page.getByRole('button', { name: 'Test the access' }).click();
  await page.getByText('Both keys have the access that they need.').waitFor();
  await inspect('storage-filled');
  await page.getByRole('button', { name: 'Use the storage of the service' }).click();
  await page.getByRole('button', { name: 'Remove the configuration' }).click();
  await page.getByText('The service stores your recordings').waitFor();
  expect(browser.offences.splice(0).every((text) => text.includes('status of 404'))).toBe(true);
});

test('operators see page packs and canaries step by step, and run a canary now', async () => {
  const data = { '/session': { signed_in: true, role: 'operator' }, '/operator/fleet': fleet } as const;
  const views: Readonly<Record<string, object>> = { ...data, '/operator/page-checks': pageChecks };
  const asked: string[] = [];
  // A team's key is no operator: the server's responses to one are tested with its routes.
  await page.route(/\/console\/(session|operator\/.*)$/, async (route) => {
    const path = new URL(route.request().url()).pathname.slice('/console'.length);
    const view = views[path];
    if (view === undefined) asked.push(`${route.request().method()} ${path}`);
    await route.fulfill({ status: view === undefined ? 202 : 200, json: { success: true, data: view ?? {} } });
  });
  await open('/fleet');
  const failed = page.getByRole('listitem').filter({ hasText: 'teams-standing' });
  await failed.getByRole('row', { name: /^page Failed joinButton/ }).waitFor();
  await page.getByRole('row', { name: /^page Warning joinButton 5 of 5/ }).waitFor();
  await page.getByText('2026-11-26.1+bad was taken back').waitFor();
  await page.getByText('It has not run yet.').waitFor();
  await inspect('fleet');
  await page.getByRole('button', { name: 'Run now: teams-standing' }).click();
  await failed.getByText('It joins its meeting within seconds.').waitFor();
  expect(asked).toEqual(['POST /operator/canaries/teams-standing/run']);
  await page.unrouteAll();
  await open('/');
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();
});

test('the time that data is kept is shortened', async () => {
  await open('/storage');
  await page.getByText('Keep data for another time').click();
  await page.getByLabel(/^Days/).fill('2');
  await page.getByRole('checkbox', { name: /^Data that is older/ }).check();
  await inspect('storage-retention');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Data is kept for 2 days now.').waitFor();
  await page.getByText('The data of a bot is deleted 2 days after it has left.').waitFor();
  // The team has no storage of its own.
  expect(browser.offences.splice(0).every((text) => text.includes('status of 404'))).toBe(true);
});

test('another site changes nothing in the console, though the browser sends it the cookie', async () => {
  const evil = await startReceiver((_call, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<form method="post" action="${team.apiUrl}/console/session"><button>Free tokens</button></form>`);
  });
  // Another port of the same host is the same site, to which SameSite does not apply.
  const strangePage = await browser.context.newPage();
  await strangePage.goto(evil.url);
  const attempts = (await strangePage.evaluate(`Promise.all(['DELETE', 'POST', 'GET'].map((method) =>
    fetch('${team.apiUrl}/console/session', { method, credentials: 'include', headers: { 'x-rapporteur-console': '1' } })
      .then(({ status }) => status, () => 'blocked')))`)) as unknown[];
  expect(attempts).toEqual(['blocked', 'blocked', 'blocked']);
  await strangePage.getByRole('button').click();
  await strangePage.getByText('FST_ERR_FORBIDDEN').waitFor();
  await strangePage.close();
  await evil.close();
  await open('/');
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();
});

test('the filled pages have no serious finding of axe and fit the window, at two widths, light and dark', () => {
  expect(problems).toEqual([]);
});
