import { setTimeout as sleep } from 'node:timers/promises';
import { openSimulator } from '@rapporteur/simulator/shared';
import type { OpenSimulator } from '@rapporteur/simulator/shared';
import { keepOnFailure, meanColours, writeEvidence } from '@rapporteur/testbed';
import type { Colour } from '@rapporteur/testbed';
import type { Browser, Page } from 'playwright-core';
import type { HarnessRoom, PlatformHarness, RoomLogEntry, ScheduledSpeech } from '../conformance/harness.ts';
import type { MeetingPlatform, MeetingSession, SpeakerSource, SessionPorts, SessionSignal } from '../platform.ts';
import { listenToOffer, tilesOffered } from './offered-media.ts';
import { launchTestBrowser } from './test-browser.ts';

/** Short and coarse, because the first room renders its participants' media. */
const loopSeconds = 15;
const framesPerSecond = 10;
const screenshotTimeoutMs = 5_000;

const ports: SessionPorts = {
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

/** What differs from platform to platform. */
export interface HarnessedPlatform {
  create(): MeetingPlatform;
  readonly unknownMeetingUrl: string;
  /** The platform with other credentials. */
  readonly bringing?: (what: string) => MeetingPlatform;
  /** The address for bots of an invitation; omitted: the invitation's own. */
  joinUrlOf?(invitation: string): string;
  /** The most reliable layer; omitted: the sources of the audio. */
  readonly bestSource?: SpeakerSource;
}

/** A platform against the simulated site in a real Chromium. */
export async function startSimulatorHarness(harnessed: HarnessedPlatform): Promise<RunningHarness> {
  const simulator = await openSimulator();
  const browser = await launch(simulator);
  const clear = async (): Promise<void> => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await Promise.all(rooms.splice(0).map((room) => room.close()));
  };
  const rooms: { close(): Promise<void> }[] = [];
  const platform = harnessed.create();
  return {
    clear,
    platform,
    unknownMeetingUrl: harnessed.unknownMeetingUrl,
    bestSource: harnessed.bestSource ?? 'contributing-sources',
    ...(harnessed.bringing === undefined ? {} : { bringing: harnessed.bringing }),
    openRoom: async (options) => {
      const room = await openRoom(simulator, platform.name, options);
      const forget = keepOnFailure(async (folder) => writeEvidence(folder, 'room-log.json', await room.log()));
      rooms.push({ close: () => room.close().finally(forget) });
      return { ...room, joinUrl: harnessed.joinUrlOf?.(room.invitation) ?? room.invitation };
    },
    session: async (visited = harnessed.create(), devices, videos) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-US' });
      const page = await context.newPage();
      const meetingSession = await visited.prepare(page, ports, devices, videos);
      paintNothingInCall(meetingSession);
      const signals: SessionSignal[] = [];
      meetingSession.onSignal((signal) => signals.push(signal));
      const forget = keepOnFailure(async (folder) => {
        writeEvidence(folder, 'signals.json', signals);
        writeEvidence(folder, 'page.png', await page.screenshot({ timeout: screenshotTimeoutMs }));
      });
      return {
        session: meetingSession,
        signals,
        media: (listenMs) => listenToOffer(page, listenMs),
        tiles: () => tilesOffered(page),
        colouredParts: async () => colouredParts(await meetingSession.screenshot(60)),
        crash: () => crash(page),
        close: () => context.close().finally(forget),
      };
    },
    close: async () => {
      await browser.close();
      await simulator.stop();
    },
  };
}

/** As in the runner: the call is tested with a page that paints no videos. */
function paintNothingInCall(meetingSession: MeetingSession): void {
  const join = meetingSession.join.bind(meetingSession);
  meetingSession.join = async (...given) => {
    const outcome = await join(...given);
    if (outcome.joined) await meetingSession.paint(false);
    return outcome;
  };
}

function colouredParts(screenshot: Buffer | null): number {
  if (screenshot === null) return 0;
  const spread = ({ red, green, blue }: Colour): number => Math.max(red, green, blue) - Math.min(red, green, blue);
  return meanColours(screenshot, 32, 18).filter((part) => spread(part) > 25).length;
}

/** The command gets no response: the page's process is gone. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
}

async function launch(simulator: OpenSimulator): Promise<Browser> {
  return await launchTestBrowser(
    '--lang=en-US',
    '--autoplay-policy=no-user-gesture-required',
    `--host-resolver-rules=${simulator.hostResolverRules}`,
    `--ignore-certificate-errors-spki-list=${simulator.certificateSpki}`,
    '--allow-loopback-in-peer-connection',
    '--disable-features=WebRtcHideLocalIpsWithMdns',
  );
}

interface DescribedRoom {
  readonly code: string;
  readonly realUrl: string;
  readonly clockZero: number;
  readonly schedule: readonly ScheduledSpeech[];
  readonly participants: readonly { readonly name: string }[];
  readonly attendees: readonly DescribedAttendee[];
}

interface DescribedAttendee {
  readonly id: string;
  readonly name: string;
  readonly camera: 'on' | 'off';
  readonly microphone: 'on' | 'off';
  readonly sent: { readonly videoPackets: number };
}

async function openRoom(
  simulator: OpenSimulator,
  platform: string,
  options: Parameters<PlatformHarness['openRoom']>[0],
): Promise<Omit<HarnessRoom, 'joinUrl'>> {
  const { participants = 3, variant = {}, ...lobby } = options;
  const post = async <T>(path: string, body: object = {}): Promise<T> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${simulator.controlUrl}${path}`, init);
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const room = await post<DescribedRoom>('/rooms', {
    platform,
    ...(hasOwnParticipants(variant) ? {} : { speakers: participants }),
    loopSeconds,
    framesPerSecond,
    admitAfterMs: 400,
    ...lobby,
    ...variant,
  });
  const at = (action: string): string => `/rooms/${room.code}/${action}`;
  const attendee = async (name: string): Promise<DescribedAttendee | undefined> => {
    const described = (await (await fetch(`${simulator.controlUrl}/rooms/${room.code}`)).json()) as DescribedRoom;
    return described.attendees.find((one) => one.name === name);
  };
  const download = async (path: string): Promise<Buffer | null> => {
    const response = await fetch(`${simulator.controlUrl}${at(path)}`);
    return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
  };
  return {
    invitation: room.realUrl,
    participantNames: room.participants.map(({ name }) => name),
    schedule: room.schedule,
    loopMs: loopSeconds * 1_000,
    clockZeroMs: room.clockZero,
    admit: () => post(at('admit')),
    remove: (name) => post(at('remove'), { name }),
    endForEveryone: () => post(at('end')),
    participantLeaves: (index) => post(at(`participants/${index}/leave`)),
    say: (from, text) => post(at('chat'), { from, text }),
    happen: (event) => post(at('events'), event),
    strike: (fault) => post(at('faults'), fault),
    close: async () => {
      await fetch(`${simulator.controlUrl}/rooms/${room.code}`, { method: 'DELETE' });
    },
    received: async (name) => {
      const id = (await attendee(name))?.id;
      const what = (file: string) => download(`attendees/${id}/${file}`);
      const [video, audio] = await Promise.all([what('picture.png'), what('sound.wav')]);
      return { video, audio };
    },
    videoPacketsTo: async (name) => (await attendee(name))?.sent.videoPackets ?? null,
    devicesOf: async (name) => {
      const found = await attendee(name);
      return found === undefined ? null : { camera: found.camera === 'on', microphone: found.microphone === 'on' };
    },
    log: async () => {
      const response = await fetch(`${simulator.controlUrl}${at('log')}`);
      return ((await response.json()) as { log: RoomLogEntry[] }).log;
    },
  };
}

/** A scenario of the simulator may bring the participants it is about. */
function hasOwnParticipants(variant: Readonly<Record<string, unknown>>): boolean {
  return variant['participants'] !== undefined || variant['scenario'] !== undefined;
}
