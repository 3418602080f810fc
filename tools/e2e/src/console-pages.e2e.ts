import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startRadosgw } from '@rapporteur/object-store/testing';
import type { S3Server, S3User } from '@rapporteur/object-store/testing';
import type { Page } from 'playwright-core';
import { inspectPage, openConsoleBrowser } from './console-browser.ts';
import type { ConsoleBrowser } from './console-browser.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';
import { waitUntil } from './waiting.ts';

/** Kept after the test, for users to see. */
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
  await open('/');
  await page.getByLabel('API key').fill(team.apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
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
  const { id, connection } = await team.simulator.create<{ id: string; connection: object }>('/calendars', account);
  await create('/v2/calendars', connection);
  const conditions = { title_contains: 'recorded' };
  await create('/v2/calendar-rules', {
    name: 'Recorded meetings',
    enabled: true,
    conditions,
    bot: { bot_name: 'By the rule' },
  });
  const start = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
  for (const title of ['Recorded planning', 'Lunch']) {
    const meeting = { title, start, meetingUrl: 'https://meet.google.com/abc-defg-hij' };
    await team.simulator.create(`/calendars/${encodeURIComponent(id)}/events`, meeting);
  }
  await open('/calendars');
  await page.getByRole('button', { name: `Synchronize now: ${account.email}` }).click();
  await page.getByText('The calendar is synchronized.').waitFor();
  const meetings = page.getByRole('listitem').filter({ hasText: 'Recorded planning' });
  await waitUntil(
    async () => {
      await open('/calendars');
      await meetings.first().waitFor();
      return (await meetings.first().getByText('Gets a bot').count()) > 0;
    },
    { what: 'the meeting to get a bot', timeoutMs: 60_000 },
  );
  await meetings.first().getByText('The title contains the text.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Lunch' }).getByText('No bot', { exact: true }).waitFor();
  await inspect('calendars-filled');
});

test('logins show the domain, its check, and the sessions in use', async () => {
  const domain = 'pages.example.com';
  const workspace = await create('/v2/meet-workspaces', { domain, generate_keypair: true });
  const { workspace_id, sign_in_url: signInUrl, cert_pem: certificate } = workspace;
  const login = { email: `one@${domain}`, name: 'One', workspace_id, email_group: `all@${domain}` };
  await create('/v2/meet-logins', login);
  await team.simulator.post('/google-domains', { domain, signInUrl, certificates: [certificate] });
  await open('/logins');
  await page.getByRole('rowheader', { name: `one@${domain}` }).waitFor();
  await page.getByText(/0 of \d+ sessions in use; 1 active login/).waitFor();
  await page.getByRole('button', { name: `Verify: ${domain}` }).click();
  await page.getByText(/^(Everything|Not everything) is in order/).waitFor({ timeout: 60_000 });
  await page.getByText('idp redirects to us').waitFor();
  await inspect('logins-filled');
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
  await page.getByRole('heading', { name: server.endpoint }).waitFor({ timeout: 60_000 });
  // The browser itself reports that there was no configuration.
  expect(browser.offences.splice(0).every((text) => text.includes('status of 404'))).toBe(true);
  await page.getByRole('button', { name: 'Test the access' }).click();
  await page.getByText('Both keys have the access that they need.').waitFor({ timeout: 60_000 });
  await inspect('storage-filled');
  await page.getByRole('button', { name: 'Use the storage of the service' }).click();
  await page.getByRole('button', { name: 'Remove the configuration' }).click();
  await page.getByText('The service stores your recordings').waitFor();
  expect(browser.offences.splice(0).every((text) => text.includes('status of 404'))).toBe(true);
});

test('the filled pages have no serious finding of axe and fit the window, at two widths, light and dark', () => {
  expect(problems).toEqual([]);
});
