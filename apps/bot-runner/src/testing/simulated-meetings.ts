import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSimulator } from '@rapporteur/simulator/shared';
import type { OpenSimulator } from '@rapporteur/simulator/shared';
import { keepOnFailure, startOwnNats, writeEvidence } from '@rapporteur/testbed';
import { runBot, testInvocation } from './run-bot.ts';
import type { RunningBot } from './run-bot.ts';
import { startStubScheduler } from './stub-scheduler.ts';
import type { StubScheduler } from './stub-scheduler.ts';
import { startStubStorage } from './stub-storage.ts';
import type { StubStorage } from './stub-storage.ts';
import { storedRecord } from './stored-record.ts';

export interface Room {
  readonly code: string;
  readonly realUrl: string;
  readonly clockZero: number;
  readonly schedule: readonly { readonly name: string; readonly startMs: number; readonly endMs: number }[];
}

export interface RoomLogEntry {
  readonly at: number;
  readonly kind: string;
  readonly who: string | null;
  readonly text?: string;
}

/** One room, with the stubs of scheduler and storage that its bots use. */
export interface SimulatedMeeting {
  readonly room: Room;
  readonly scheduler: StubScheduler;
  readonly storage: StubStorage;
  /** @param mainFile of a packed runner; default: the sources */
  sendBot(more?: Parameters<typeof testInvocation>[1], mainFile?: string): Promise<RunningBot>;
  say(from: string, text: string): Promise<void>;
  /** Participants perform one of the simulator's events, now. */
  happen(event: { readonly do: string } & Readonly<Record<string, unknown>>): Promise<void>;
  /** Injects a fault into the room, now. */
  strike(fault: { readonly kind: string }): Promise<void>;
  log(): Promise<readonly RoomLogEntry[]>;
  /** A WAV file of the last audio that the room received from a browser's microphone; null: none yet. */
  audioFrom(name: string): Promise<Buffer | null>;
  /** A PNG of the last frame that the room received from a browser's camera; null: none yet. */
  seenFrom(name: string): Promise<Buffer | null>;
  statuses(): string[];
  /** Media time of the stored fragments. */
  storedMs(attempt?: number): number;
}

export interface SimulatedMeetings {
  /** Where a test may write files. */
  readonly folder: string;
  /** The simulator's control API. */
  readonly controlUrl: string;
  /** One at a time: the schedulers of two rooms would share reports and leases. */
  open(options?: object): Promise<SimulatedMeeting>;
  /** Ends everything that the last test started. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** Short, because the first room renders its media. */
export const loopSeconds = 15;
export const framesPerSecond = 10;

export async function startSimulatedMeetings(): Promise<SimulatedMeetings> {
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-runner-sim-'));
  const simulator = await openSimulator();
  const meetings = await meetingsIn(simulator, folder);
  return {
    ...meetings,
    stop: async () => {
      await meetings.stop();
      await simulator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** With a bus of their own, in a simulator that may be shared. */
export async function meetingsIn(simulator: OpenSimulator, folder: string): Promise<SimulatedMeetings> {
  // A store of its own: other tests respond to lease requests on the shared one.
  const storeFolder = join(folder, `nats-${crypto.randomUUID()}`);
  await mkdir(storeFolder);
  const nats = await startOwnNats({ storeFolder });
  const ends: (() => Promise<void>)[] = [];
  const control = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${simulator.controlUrl}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const clear = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  return {
    folder,
    controlUrl: simulator.controlUrl,
    clear,
    stop: async () => {
      await clear();
      await nats.remove();
    },
    open: async (options = {}) => {
      const storage = await startStubStorage();
      ends.push(() => storage.stop());
      const scheduler = await startStubScheduler(nats.url);
      ends.push(() => scheduler.stop());
      const defaults = { speakers: 3, framesPerSecond, loopSeconds, admitAfterMs: 300 };
      const room = await control<Room>('/rooms', { ...defaults, ...options });
      const at = (action: string): string => `/rooms/${room.code}/${action}`;
      ends.push(async () => void (await fetch(`${simulator.controlUrl}/rooms/${room.code}`, { method: 'DELETE' })));
      ends.push(keepRoom(scheduler, () => control(at('log'))));
      const received = async (name: string, file: string): Promise<Buffer | null> => {
        const { attendees } = await control<{ attendees: { id: string; name: string }[] }>(`/rooms/${room.code}`);
        const id = attendees.find((attendee) => attendee.name === name)?.id;
        const response = await fetch(`${simulator.controlUrl}${at(`attendees/${id ?? ''}/${file}`)}`);
        return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
      };
      return {
        room,
        scheduler,
        storage,
        sendBot: async (more = {}, mainFile) => {
          const { hostResolverRules, certificateSpki } = simulator;
          const facts = {
            storage,
            busUrl: nats.url,
            joinUrl: room.realUrl,
            simulator: { hostResolverRules, certificateSpki },
          };
          const bot = await runBot(scheduler, testInvocation(facts, more), mainFile);
          ends.push(() => bot.clear());
          return bot;
        },
        say: (from, text) => control(at('chat'), { from, text }),
        happen: (event) => control(at('events'), event),
        strike: (fault) => control(at('faults'), fault),
        audioFrom: (name) => received(name, 'sound.wav'),
        seenFrom: (name) => received(name, 'picture.png'),
        log: async () => (await control<{ log: RoomLogEntry[] }>(at('log'))).log,
        statuses: () => scheduler.reports.flatMap((report) => (report.kind === 'status' ? [report.code] : [])),
        storedMs: (attempt = 1) => storedMs(storage, attempt),
      };
    },
  };
}

/** Keeps the room's evidence of a failed test; call the result to end that. */
function keepRoom({ reports }: StubScheduler, log: () => Promise<unknown>): () => Promise<void> {
  const forget = keepOnFailure(async (folder) => {
    writeEvidence(folder, 'room-log.json', await log());
    writeEvidence(folder, 'reports.json', reports);
  });
  return async () => forget();
}

function storedMs({ objects }: StubStorage, attempt: number): number {
  const folder = `segments/${String(attempt).padStart(4, '0')}/`;
  const names = [...objects.keys()].filter((key) => key.startsWith(folder) && key.endsWith('.m4s'));
  const last = names.sort().at(-1)?.slice(folder.length, -'.m4s'.length);
  return last === undefined ? 0 : (storedRecord({ objects }, { attempt, sequence: Number(last) })?.endMs ?? 0);
}
