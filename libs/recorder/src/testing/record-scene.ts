import type { CaptureStrategy } from '@rapporteur/contracts';
import { loadPageScript } from '@rapporteur/page-scripts';
import { copyEvidence, keepOnFailure, waitFor } from '@rapporteur/testbed';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRecorder } from '../index.ts';
import type {
  RecordingFragment,
  Recorder,
  RecorderAudioTap,
  RecordingMode,
  VideoSizing,
  CaptureStrategySetting,
  StoredFragment,
} from '../index.ts';
import type { TroubledRoomOptions } from './troubled-room.page.ts';
import type { LateRoomOptions } from './late-room.page.ts';
import type { ParticipantRoomOptions } from './participant-room.page.ts';
import type { SceneOptions } from './room-scene.page.ts';

export const chromiumFlags = [
  '--headless=new',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  '--auto-accept-this-tab-capture',
  '--disable-audio-output',
  '--allow-loopback-in-peer-connection',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
];

/** A tab has audio to capture only in a browser that is not muted. */
export const playwrightFlagsOff = ['--mute-audio'];

const usualRoom = new URL('./room-scene.page.ts', import.meta.url);
export const lateRoom = new URL('./late-room.page.ts', import.meta.url);
export const participantRoom = new URL('./participant-room.page.ts', import.meta.url);
export const troubledRoom = new URL('./troubled-room.page.ts', import.meta.url);
const foreignPath = '/foreign.svg';
const foreignFrame =
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4" fill="red"/></svg>';

/** An expression, as the room's page may forbid to make functions from text. */
const roomRuns = `new Promise((resolve) => {
  const poll = () => (document.title === 'Room running' ? resolve() : setTimeout(poll, 20));
  poll();
})`;

/** What a scene needs of a page of a real browser. */
export interface ScenePage {
  addInitScript(script: { content: string }): Promise<unknown>;
  exposeBinding(name: string, call: (source: unknown, text: string) => Promise<void>): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  goto(url: string): Promise<unknown>;
}

/** A page with a simulated room, and a recorder that stores its fragments in a folder. */
export interface RecordedScene {
  readonly mode: RecordingMode;
  readonly recorder: Recorder;
  /** Where the init segment and the fragments are stored. */
  readonly folder: string;
  readonly init: string;
  /** As reported by the recorder. */
  readonly captureStrategies: readonly CaptureStrategy[];
  /** A frame of another site than the room's. */
  readonly foreignAddress: string;
  readonly fragments: StoredFragment[];
  /** Path of the init segment and the first `count` fragments joined byte by byte. */
  joined(count: number): Promise<string>;
  close(): Promise<void>;
}

export interface SceneSetup {
  readonly scene: ParticipantRoomOptions | SceneOptions | TroubledRoomOptions | LateRoomOptions;
  /** The room's script; omitted: the default room. */
  readonly room?: URL;
  readonly strategy?: CaptureStrategySetting;
  readonly videoSize?: VideoSizing;
  readonly mode: RecordingMode;
  /** Content-Security-Policy of the room's page. */
  readonly policy?: string;
  /** Globals that the page's own thread lacks. */
  readonly forbids?: readonly string[];
  /** Runs in the page before everything else. */
  readonly before?: string;
  readonly audioTap?: RecorderAudioTap;
  readonly participantAudio?: boolean;
}

export async function openScene(page: ScenePage, setup: SceneSetup): Promise<RecordedScene> {
  const folder = await mkdtemp(join(tmpdir(), 'recorder-'));
  const server = createServer((request, response) => {
    if (request.url === foreignPath) {
      response.setHeader('content-type', 'image/svg+xml').end(foreignFrame);
      return;
    }
    response.setHeader('content-type', 'text/html');
    if (setup.policy) response.setHeader('content-security-policy', setup.policy);
    response.end('<!doctype html><title>Room</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  if (setup.before !== undefined) await page.addInitScript({ content: setup.before });
  await page.addInitScript({ content: loadPageScript(setup.room ?? usualRoom, setup.scene) });
  for (const name of setup.forbids ?? []) await page.addInitScript({ content: `delete globalThis.${name};` });
  const forget = keepOnFailure((evidence) => copyEvidence(evidence, folder));
  const init = join(folder, 'init.mp4');
  const fragments: StoredFragment[] = [];
  const bytes: Uint8Array[] = [];
  const captureStrategies: CaptureStrategy[] = [];
  const recorder = createRecorder({
    page: {
      addInitScript: async (source) => void (await page.addInitScript({ content: source })),
      exposeBinding: async (name, receive) =>
        void (await page.exposeBinding(name, (_source, text: string) => receive(text))),
      evaluate: async (expression) => await page.evaluate(expression),
    },
    mode: setup.mode,
    ...(setup.strategy === undefined ? {} : { strategy: setup.strategy }),
    ...(setup.videoSize === undefined ? {} : { videoSize: setup.videoSize }),
    onStrategy: (strategy) => captureStrategies.push(strategy),
    ...(setup.audioTap === undefined ? {} : { audioTap: setup.audioTap }),
    ...(setup.participantAudio === undefined ? {} : { participantAudio: setup.participantAudio }),
    onInit: async (start) => {
      bytes[0] = start;
      await writeFile(init, start);
    },
    onFragment: async (fragment: RecordingFragment) => {
      const path = join(folder, `${fragment.sequence}.m4s`);
      await writeFile(path, fragment.bytes);
      bytes[fragment.sequence] = fragment.bytes;
      fragments.push({ path, sequence: fragment.sequence, startMs: fragment.startMs, endMs: fragment.endMs });
    },
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    clock: { now: () => Date.now() },
  });
  await recorder.install();
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(roomRuns);
  return {
    mode: setup.mode,
    recorder,
    folder,
    init,
    captureStrategies,
    foreignAddress: `http://localhost:${port}${foreignPath}`,
    fragments,
    joined: async (count) => {
      const path = join(folder, `first-${count}.mp4`);
      await writeFile(path, Buffer.concat(bytes.slice(0, count + 1)));
      return path;
    },
    close: async () => {
      forget();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the recording has reached a media time. @throws Error after a deadline */
export async function untilRecorded(scene: RecordedScene, mediaMs: number): Promise<void> {
  await waitFor(() => (scene.fragments.at(-1)?.endMs ?? 0) >= mediaMs, {
    what: `${mediaMs} ms to be recorded`,
    timeoutMs: mediaMs + 120_000,
    saw: () => ({ lastFragment: scene.fragments.at(-1), health: scene.recorder.health() }),
  });
}
