import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@rapporteur/local-stack';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pageStructure } from '@rapporteur/contracts';
import { adminOf } from './admin-client.ts';
import type { AdminClient } from './admin-client.ts';
import { ApiClient } from './api-client.ts';
import { startPagePackServer } from './page-pack-server.ts';
import type { PagePackServer } from './page-pack-server.ts';
import { SimulatorClient } from './simulator-client.ts';
import { newDataFolder, removeDataFolder, startStackProcess } from './stack-process.ts';
import type { StackProcess } from './stack-process.ts';
import { waitUntil } from './waiting.ts';

// A separate stack: a bad page pack would reach the bots of other files.
const dataFolder = newDataFolder();
const examples = join(import.meta.dirname, '../../simulator/page-changes');
const standingCode = 'gmt-stan-din';
/** Bots whose outcomes decide whether a page pack is taken back. */
const trialBots = 4;
/** A page without a known state is given up after 45 s. */
const failureMs = 120_000;
const admissionMs = 60_000;
/** From a laid page pack to a bot that joins with it (issue 34). */
const repairMs = 60_000;
const fromJoining = ['joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording'];

interface Status {
  readonly platforms: readonly {
    readonly platform: string;
    readonly state: string;
    readonly version: string;
    readonly suspended: { readonly version: string } | null;
  }[];
  readonly refused: { readonly reason: string } | null;
}

interface Canary {
  readonly runs: readonly {
    readonly started_at: string;
    readonly outcome: string;
    readonly failed_step: string | null;
    readonly result: {
      readonly message: string;
      readonly page_pack_version: string | null;
      readonly steps: readonly { readonly step: string; readonly result: string; readonly element: string | null }[];
    } | null;
  }[];
}

let packs: PagePackServer;
let stack: StackProcess;
let api: ApiClient;
let admin: AdminClient;
let simulator: SimulatorClient;

beforeAll(async () => {
  packs = await startPagePackServer();
  const simulatorHttpsPort = await freePort();
  const link = `https://meet.simulator.localhost:${simulatorHttpsPort}/${standingCode}`;
  stack = await startStackProcess(dataFolder, [`--simulator-https-port=${simulatorHttpsPort}`, '--max-bots=6'], {
    RAPPORTEUR_PAGE_PACKS: packs.url,
    RAPPORTEUR_PAGE_PACK_KEYS: packs.publicKey,
    RAPPORTEUR_PAGE_PACK_POLL_MS: '1000',
    RAPPORTEUR_PAGE_PACK_TRIAL_BOTS: String(trialBots),
    RAPPORTEUR_CANARY_STAY_MS: '5000',
    RAPPORTEUR_CANARIES: JSON.stringify([{ name: 'meet-standing', link, interval_seconds: 86_400 }]),
  });
  api = new ApiClient(stack.apiUrl, stack.apiKey ?? '');
  admin = adminOf(dataFolder);
  simulator = new SimulatorClient(stack.simulatorUrl);
}, 180_000);

afterAll(async () => {
  await stack?.interrupt();
  await removeDataFolder(dataFolder);
  await packs?.stop();
}, 60_000);

const overlayOf = (name: string): object => JSON.parse(readFileSync(join(examples, name), 'utf8')) as object;

/** Recognizes the page before joining as that of a meeting which does not exist. */
const badOverlay = {
  format: 1,
  platform: 'teams',
  version: 'bad',
  base: (overlayOf('other-labels.teams.json') as { base: string }).base,
  texts: { 'wrong-address-text': { first: ['type your name', 'microsoft teams meeting'] } },
};

const missesJoinButton: unknown = expect.objectContaining({ step: 'page', result: 'failed', element: 'joinButton' });

const send = (meetingUrl: string): Promise<string> =>
  api.createBot({ bot_name: 'Rapporteur', meeting_url: meetingUrl });
const getsIn = (botId: string) => api.waitForStatus(botId, ['in_call_recording'], admissionMs);

async function statusOf(platform: string) {
  const status = await admin<Status>('GET', '/page-packs');
  return { ...status.platforms.find((one) => one.platform === platform), refused: status.refused?.reason ?? null };
}

async function isInUse(platform: string, expected: object): Promise<void> {
  const what = `${platform} to have ${JSON.stringify(expected)}`;
  await waitUntil(
    async () => {
      const status: Readonly<Record<string, unknown>> = await statusOf(platform);
      return Object.entries(expected).every(([name, value]) => status[name] === value);
    },
    { what, timeoutMs: 30_000 },
  );
}

/** The structure of the page in the evidence of this bot. */
async function storedPageOf(botId: string) {
  for await (const file of glob(`objects/**/*${botId}*/**/evidence/*/page.json`, { cwd: dataFolder }))
    return pageStructure.parse(JSON.parse(readFileSync(join(dataFolder, file), 'utf8')));
  return null;
}

/** By platform: the document holds all of them. */
const laid = new Map<string, object>();

function lay(platform: string, overlay: object): void {
  laid.set(platform, overlay);
  packs.lay([...laid.values()]);
}

test('a page pack that another key signed is refused', async () => {
  packs.forge([overlayOf('other-labels.meet.json')]);
  await isInUse('meet', { state: 'built-in', refused: 'unsigned' });
  packs.lay([]);
  await isInUse('meet', { state: 'built-in', refused: null });
}, 60_000);

describe('a platform that changes its page', () => {
  test.concurrent('is named by a canary and by failed bots, and repaired by a signed pack without a restart', async () => {
    const room = await simulator.startRoom({ code: standingCode, pageChange: 'other-labels', speakers: 2 });
    const [botId, canary] = await Promise.all([send(room.url), sendCanary()]);
    const bot = await api.waitForStatus(botId, ['failed'], failureMs);
    expect(bot.error_code).toBe('CANNOT_JOIN_MEETING');
    const page = await waitUntil(() => storedPageOf(botId), { what: 'the page in the evidence' });
    const builtIn = (await statusOf('meet')).version;
    expect(page).toMatchObject({ platform: 'meet', rule: 'name-field', page_pack_version: builtIn });
    expect(page.html).toContain('<button jsname="bXc92d"');
    expect(await canary()).toMatchObject({
      outcome: 'failed',
      failed_step: 'page',
      result: { page_pack_version: builtIn, steps: expect.arrayContaining([missesJoinButton]) },
    });

    const laidAt = performance.now();
    lay('meet', overlayOf('other-labels.meet.json'));
    await isInUse('meet', { state: 'overlay', refused: null });
    const [next, nextCanary] = await Promise.all([send(room.url), sendCanary()]);
    await api.waitForStatus(next, fromJoining, admissionMs);
    expect(performance.now() - laidAt).toBeLessThan(repairMs);
    const entered = await getsIn(next);
    expect(entered.page_pack_version).toBe(`${builtIn}+other-labels`);
    const { outcome, failed_step, result } = await nextCanary();
    expect({ outcome, failed_step, message: result?.message, pack: result?.page_pack_version }).toEqual({
      outcome: 'passed',
      failed_step: null,
      message: 'Every step passed.',
      pack: entered.page_pack_version,
    });
    await simulator.post(`/rooms/${room.code}/end`);
  }, 300_000);

  test.concurrent('keeps its bots when a bad pack is laid: it is taken back by itself', async () => {
    const room = await simulator.startRoom({ platform: 'teams', speakers: 2 });
    const first = await send(room.url);
    await getsIn(first);
    lay('teams', badOverlay);
    await isInUse('teams', { state: 'overlay' });
    const bots = await Promise.all([send(room.url), send(room.url)]);
    const ends = await Promise.all(bots.map((botId) => api.waitForStatus(botId, ['failed'], failureMs)));
    expect(ends.map(({ error_code }) => error_code)).toEqual(['CANNOT_JOIN_MEETING', 'CANNOT_JOIN_MEETING']);
    await isInUse('teams', { state: 'suspended' });
    const next = await getsIn(await send(room.url));
    expect(next.page_pack_version).not.toMatch(/\+/);
    await simulator.post(`/rooms/${room.code}/end`);
  }, 300_000);
});

/** Runs the canary; resolves with what waits for the result. It may have run by itself before, without a room. */
async function sendCanary() {
  const sentAt = new Date().toISOString();
  await admin('POST', '/canaries/meet-standing/run');
  return () =>
    waitUntil(
      async () => {
        const [canary] = await admin<Canary[]>('GET', '/canaries');
        return canary?.runs.find(({ started_at }) => started_at >= sentAt) ?? null;
      },
      { what: 'the canary to end' },
    );
}
