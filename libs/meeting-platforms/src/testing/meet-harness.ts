import { findChromium } from '@rapporteur/local-stack/chromium';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulator } from '@rapporteur/simulator';
import type { Simulator } from '@rapporteur/simulator';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import type { HarnessRoom, PlatformHarness, RoomLogEntry, ScheduledSpeech } from '../conformance/harness.ts';
import { createMeetPlatform } from '../meet/meet-platform.ts';
import type { VisitPorts, VisitSignal } from '../platform.ts';

/** Short and coarse, because the first room renders its people's media. */
const loopSeconds = 15;
const framesPerSecond = 10;

const ports: VisitPorts = {
  clock: {
    now: Date.now,
    sleep: async (ms, signal) => {
      await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
    },
  },
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
};

export interface RunningHarness extends PlatformHarness {
  /** Closes the pages that were visited. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Google Meet's platform against the simulated site in a real Chromium. */
export async function startMeetHarness(): Promise<RunningHarness> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'rapporteur-conformance-'));
  const simulator = await startSimulator({ dataFolder });
  const browser = await launch(simulator);
  const clear = async (): Promise<void> => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return {
    clear,
    platform: createMeetPlatform(),
    unknownMeetingUrl: 'https://meet.google.com/zzz-zzzz-zzz',
    openRoom: (wishes) => openRoom(simulator, wishes),
    visit: async (platform = createMeetPlatform()) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-US' });
      const visit = await platform.prepare(await context.newPage(), ports);
      const signals: VisitSignal[] = [];
      visit.onSignal((signal) => signals.push(signal));
      return { visit, signals };
    },
    close: async () => {
      await browser.close();
      await simulator.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

async function launch(simulator: Simulator): Promise<Browser> {
  return await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-gpu',
      '--lang=en-US',
      '--autoplay-policy=no-user-gesture-required',
      `--host-resolver-rules=${simulator.hostResolverRules}`,
      `--ignore-certificate-errors-spki-list=${simulator.certificateSpki}`,
      '--allow-loopback-in-peer-connection',
      '--disable-features=WebRtcHideLocalIpsWithMdns',
    ],
  });
}

interface DescribedRoom {
  readonly code: string;
  readonly realUrl: string;
  readonly clockZero: number;
  readonly schedule: readonly ScheduledSpeech[];
  readonly people: readonly { readonly name: string }[];
}

async function openRoom(
  simulator: Simulator,
  wishes: Parameters<PlatformHarness['openRoom']>[0],
): Promise<HarnessRoom> {
  const { people = 3, variant = {}, ...lobby } = wishes;
  const post = async <T>(path: string, body: object = {}): Promise<T> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${simulator.controlUrl}${path}`, init);
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const room = await post<DescribedRoom>('/rooms', {
    speakers: people,
    loopSeconds,
    framesPerSecond,
    admitAfterMs: 400,
    ...lobby,
    ...variant,
  });
  const at = (action: string): string => `/rooms/${room.code}/${action}`;
  return {
    joinUrl: room.realUrl,
    peopleNames: room.people.map(({ name }) => name),
    schedule: room.schedule,
    loopMs: loopSeconds * 1_000,
    clockZeroMs: room.clockZero,
    admit: () => post(at('admit')),
    remove: (name) => post(at('remove'), { name }),
    endForEveryone: () => post(at('end')),
    personLeaves: (index) => post(at(`people/${index}/leave`)),
    say: (from, text) => post(at('chat'), { from, text }),
    log: async () => {
      const response = await fetch(`${simulator.controlUrl}${at('log')}`);
      return ((await response.json()) as { log: RoomLogEntry[] }).log;
    },
  };
}
