import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { install } from './capture.page.ts';
import type { CaptureConfig, EngineCommand, EngineEvent, PageRecorder } from './messages.ts';

const bindingName = 'takeBatch';

/** A worker that is ready when the test requests it, and records its commands. */
class FakeWorker extends EventTarget {
  static readonly all: FakeWorker[] = [];
  readonly commands: EngineCommand[] = [];
  /** Result of `postMessage`: undefined in a real worker; tests detect a caller that retains it. */
  responses: (() => object) | null = null;
  ended = false;
  onmessage: ((message: { data: EngineEvent }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;

  constructor() {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(command: EngineCommand): unknown {
    this.commands.push(command);
    return this.responses?.();
  }

  say(event: EngineEvent): void {
    this.onmessage?.({ data: event });
  }

  terminate(): void {
    this.ended = true;
  }
}

const config: CaptureConfig = {
  mode: 'audio_only',
  width: 640,
  height: 360,
  framesPerSecondMax: 30,
  videoBitsPerSecond: 1,
  audioBitsPerSecond: 1,
  fragmentMs: 2_000,
  strategy: 'auto',
  videoSize: 'fixed',
  audioTapHz: null,
  participantAudio: false,
};
const signs = {
  reachedMs: 0,
  nextSequence: 0,
  shownFrameAtMs: null,
  shownFrames: 0,
  blackSinceMs: null,
  loudAtMs: null,
  degraded: null,
};
const fakes: Readonly<Record<string, unknown>> = {
  window: globalThis,
  top: globalThis,
  Worker: FakeWorker,
  MediaStreamTrackProcessor: class {},
  navigator: { locks: { request: async (_name: string, _options: object, onGranted: () => void) => onGranted() } },
  [bindingName]: () => Promise.resolve(),
};
const before = Object.keys(fakes).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
const settled = () => new Promise((resolve) => setImmediate(resolve));

let recorder: PageRecorder;
beforeEach(() => {
  for (const [name, value] of Object.entries(fakes))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  FakeWorker.all.splice(0);
  install({ bindingName, workerSource: '' });
  recorder = (globalThis as unknown as { rapporteurRecorder: PageRecorder }).rapporteurRecorder;
});
afterEach(() => {
  recorder.abandon();
  Reflect.deleteProperty(globalThis, 'rapporteurRecorder');
  for (const [name, descriptor] of before) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else Reflect.deleteProperty(globalThis, name);
  }
});

const start = (run: number) => recorder.start({ config, run, continuation: null });

async function started(): Promise<FakeWorker> {
  const starting = start(1);
  await settled();
  const worker = FakeWorker.all.at(-1);
  worker?.say({ kind: 'ready', ownMs: performance.now() });
  await starting;
  if (!worker) throw new Error('No worker was opened.');
  return worker;
}

const runsOf = (worker: FakeWorker | undefined) =>
  worker?.commands.flatMap((command) => (command.kind === 'start' ? [command.start.run] : []));

describe('a page that is asked to record anew', () => {
  test('before it had begun, begins once: what was abandoned is not gone on with', async () => {
    const first = start(1);
    const refused = expect(first).rejects.toThrow('abandoned');
    await settled();
    recorder.abandon();
    const second = start(2);
    await settled();
    for (const worker of FakeWorker.all) worker.say({ kind: 'ready', ownMs: performance.now() });
    await Promise.all([refused, second]);
    expect(FakeWorker.all.map(runsOf)).toEqual([[], [2]]);
    expect(FakeWorker.all.map(({ ended }) => ended)).toEqual([true, false]);
    await expect(start(3)).rejects.toThrow('recorded already');
  });

  test('while its lost engine is replaced, keeps the new one alone', async () => {
    const lost = await started();
    // Its lock is free: it has ended.
    lost.dispatchEvent(new MessageEvent('message', { data: { kind: 'held' } }));
    await settled();
    const replacing = FakeWorker.all.at(-1);
    expect(replacing).not.toBe(lost);
    recorder.abandon();
    const again = start(2);
    await settled();
    for (const worker of FakeWorker.all.slice(1)) worker.say({ kind: 'ready', ownMs: performance.now() });
    await again;
    expect(FakeWorker.all.map(({ ended }) => ended)).toEqual([true, true, false]);
    expect(FakeWorker.all.map(runsOf)).toEqual([[1], [], [2]]);
    const pausing = recorder.pause();
    FakeWorker.all.at(-1)?.say({ kind: 'paused', atMs: 5 });
    expect(await pausing).toEqual({ atMs: 5 });
  });
});

test('nothing is kept of a batch that was handed over', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const worker = await started();
  const kept: WeakRef<object>[] = [];
  worker.responses = () => {
    const response = {};
    kept.push(new WeakRef(response));
    return response;
  };
  for (let batch = 0; batch < 20; batch += 1) {
    worker.say({ kind: 'batch', text: '{}', signs });
    await settled();
  }
  worker.responses = null;
  await settled();
  collect();
  expect(kept.length).toBeGreaterThanOrEqual(20);
  expect(kept.filter((response) => response.deref() !== undefined).length).toBeLessThan(5);
});
