import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import type { BotInvocation, CanaryList, PagePackView } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';
import { pagePackReader } from './page-pack-reader.ts';

let scheduler: TestScheduler;
let folder: string;
let teamId: string;
const base = pagePackReader.versionOf('meet', null);

function lay(document: object): void {
  const draft = join(folder, 'draft');
  writeFileSync(draft, JSON.stringify(document));
  renameSync(draft, join(folder, 'meet.json'));
}
const overlay = (version: string) => ({ format: 1, platform: 'meet', version, base });
const read = async <T>(path: string): Promise<T> =>
  (await scheduler.sendRequest('POST', path, teamId, {})).body as unknown as T;
const pagePacks = () => read<PagePackView>(internalCalls.operators.pagePacks.path);
const inUse = (version: string) =>
  waitFor(async () => (await pagePacks()).platforms.some((one) => one.version === version), {
    what: `the page pack ${version} to be in use`,
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rapporteur-overlays-'));
  lay(overlay('1'));
  const canary = {
    name: 'meet-daily',
    link: 'https://meet.google.com/abc-defg-hij',
    interval_seconds: 86_400,
    expect: { chat: false, captions: false },
  };
  scheduler = await startTestScheduler({
    settings: {
      PAGE_PACKS: folder,
      PAGE_PACK_POLL_MS: '200',
      CANARIES: JSON.stringify([canary]),
      CANARY_STAY_MS: '1000',
      DATA_MAINTENANCE_MS: '500',
    },
  });
  teamId = await addTeam(scheduler.database);
});
afterAll(async () => {
  await scheduler.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function invocationOf(botId: string): Promise<BotInvocation> {
  const { attempt } = await scheduler.bot(botId);
  const record = join(scheduler.runsFolder, `bot-${botId}-${attempt}.run.json`);
  const { workFolder } = JSON.parse(readFileSync(record, 'utf8')) as { workFolder: string };
  return JSON.parse(readFileSync(join(workFolder, 'invocation.json'), 'utf8')) as BotInvocation;
}

test('the next bot gets a changed page pack, and a refused one changes nothing', async () => {
  await inUse(`${base}+1`);
  const first = await scheduler.sendBot(teamId, 'records');
  await scheduler.waitForStatus(first, 'in_call_recording');
  expect((await invocationOf(first)).pagePack).toMatchObject({ version: '1' });
  expect(await scheduler.bot(first)).toMatchObject({ page_pack_version: 'test+1' });

  lay(overlay('2'));
  await inUse(`${base}+2`);
  lay({ ...overlay('3'), base: '2020-01-01.1' });
  await waitFor(async () => (await pagePacks()).refused?.message.includes('2020-01-01.1') === true, {
    what: 'the refusal to be shown',
  });
  const second = await scheduler.sendBot(teamId, 'records');
  await scheduler.waitForStatus(second, 'in_call_recording');
  expect((await invocationOf(second)).pagePack).toMatchObject({ version: '2' });
  for (const botId of [first, second]) await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
});

test('a canary runs on request, passes through the path of every bot, and leaves nothing stored', async () => {
  const unknown = await scheduler.sendRequest('POST', internalCalls.operators.runCanary.path, teamId, {
    name: 'other',
  });
  expect(unknown).toMatchObject({
    status: 404,
    body: { message: 'There is no canary called other. There are: meet-daily.' },
  });
  await scheduler.sendRequest('POST', internalCalls.operators.runCanary.path, teamId, { name: 'meet-daily' });
  const listed = async () => (await read<CanaryList>(internalCalls.operators.canaries.path)).canaries[0];
  await waitFor(async () => (await listed())?.runs.length === 1, { what: 'the canary to end' });
  const canary = await listed();
  expect(canary).toMatchObject({
    name: 'meet-daily',
    platform: 'meet',
    runs: [{ outcome: 'passed', failed_step: null }],
  });
  const botId = canary?.runs[0]?.bot_id ?? '';
  await waitFor(async () => (await scheduler.bot(botId)).artifacts_deleted, { what: 'its data to be deleted' });
  const listing = await scheduler.sendRequest('GET', '/internal/v2/bots', teamId);
  expect(JSON.stringify(listing.body)).not.toContain(botId);
});
