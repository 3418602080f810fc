import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { meetingsIn } from '@rapporteur/bot-runner/testing';
import { mediaFolder } from '@rapporteur/simulator/shared';
import type { SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import { startSimulator } from '@rapporteur/simulator';
import type { Simulator } from '@rapporteur/simulator';
import { machine, spreadOf, reported } from '../measure/figures.ts';

export interface StartOptions {
  readonly rounds: number;
  /** Main files of runners to compare, by name. Each alternates with the bare browser. */
  readonly runners: Readonly<Record<string, string | undefined>>;
  readonly say: (text: string) => void;
}

const goal = 1.7;
const mostMs = 60_000;
/** The page adds no delay of its own, so that both sides wait for the browser alone. */
const room = { lateness: 0, admitAfterMs: 0, meet: { permissionSheet: false, gotIt: false } };
/** The same switches as the runner's browser. */
const bareArguments = ['--disable-gpu', '--disable-quic', '--lang=en-US'];

interface BareStart {
  readonly launchedMs: number;
  readonly readyMs: number;
}

/** Steps of a start, in ms after its beginning. */
type Moments = ReadonlyMap<string, number>;

/**
 * Measures from the start of a runner's process to the click that requests admission, relative to a bare browser that
 * opens the same page until its button is there, alternating. The reference's own process runs already and has
 * Playwright loaded.
 */
export async function measureStart({ rounds, runners, say }: StartOptions): Promise<void> {
  say(machine());
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-bench-start-'));
  const simulator = await startSimulator({ dataFolder: folder, mediaFolder });
  const meetings = await meetingsIn(simulator, folder);
  const bares: number[] = [];
  const requests = new Map(Object.keys(runners).map((name) => [name, [] as number[]]));
  try {
    // The first of each fills the caches for the following ones: files in memory, rendered media.
    for (let round = -1; round < rounds; round += 1) {
      const { launchedMs, readyMs: bareMs } = await bareStart(meetings, simulator, join(folder, `profile-${round}`));
      if (round >= 0) {
        bares.push(bareMs);
        say(`round ${round + 1}: bare ${Math.round(bareMs)} ms (browser ${Math.round(launchedMs)})`);
      }
      for (const [name, mainFile] of Object.entries(runners)) {
        const moments = await runnerStart(meetings, mainFile);
        if (round < 0) continue;
        requests.get(name)?.push(moments.get('join-clicked') ?? NaN);
        say(`  ${name}: ${inWords(moments)}`);
      }
    }
    say(`bare browser and page: ${reported(bares, 0)} ms`);
    for (const [name, requestMs] of requests) {
      const ratios = requestMs.map((ms, round) => ms / (bares[round] ?? NaN));
      const { median } = spreadOf(ratios);
      say(`${name}, from its start to its join request: ${reported(requestMs, 0)} ms`);
      say(`${name}: ratio ${reported(ratios)}; goal ≤ ${goal}: ${median <= goal ? 'met' : 'missed'}`);
    }
    say(machine());
  } finally {
    await meetings.stop();
    await simulator.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bareStart(meetings: SimulatedMeetings, simulator: Simulator, profile: string): Promise<BareStart> {
  const meeting = await meetings.open(room);
  const beganAtMs = performance.now();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    headless: true,
    args: [
      ...bareArguments,
      `--host-resolver-rules=${simulator.hostResolverRules}`,
      `--ignore-certificate-errors-spki-list=${simulator.certificateSpki}`,
    ],
  });
  try {
    const launchedMs = performance.now() - beganAtMs;
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(meeting.room.realUrl, { waitUntil: 'commit' });
    await page.locator('button[jsname="Qx7uuf"]').waitFor({ timeout: mostMs });
    return { launchedMs, readyMs: performance.now() - beganAtMs };
  } finally {
    await context.close();
    await meetings.clear();
  }
}

async function runnerStart(meetings: SimulatedMeetings, mainFile: string | undefined): Promise<Moments> {
  const meeting = await meetings.open(room);
  const bot = await meeting.sendBot({}, mainFile);
  try {
    for (const untilMs = Date.now() + mostMs; Date.now() < untilMs; await sleep(20)) {
      const moments = await momentsOf(bot.startedAtMs, await bot.log());
      if (moments.has('join-clicked')) return moments;
    }
    throw new Error('The bot did not request to join.');
  } finally {
    await meetings.clear();
  }
}

async function momentsOf(startedAtMs: number, log: readonly Record<string, unknown>[]): Promise<Moments> {
  const moments = new Map<string, number>();
  for (const line of log) {
    const what =
      typeof line['step'] === 'string' ? line['step'] : line['message'] === 'The run begins.' ? 'begun' : null;
    if (what !== null && !moments.has(what)) moments.set(what, Date.parse(String(line['time'])) - startedAtMs);
  }
  return moments;
}

function inWords(moments: Moments): string {
  return [...moments].map(([what, ms]) => `${what} ${Math.round(ms)}`).join(', ');
}
