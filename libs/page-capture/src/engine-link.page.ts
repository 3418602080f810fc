import { exactPageNow } from '@rapporteur/page-scripts/page-time';
import { CaptureEngine } from './capture-engine.page.ts';
import type { ChromiumGlobal } from './chromium-media.ts';
import type { EngineCommand, EngineEvent } from './messages.ts';

/** Ticks of a timer, not a time: on a machine with too little CPU the timer is as late as the worker. */
const workerReadyTicks = 40;
const tickMs = 50;

export interface EngineLink {
  readonly thread: 'worker' | 'page';
  send(command: EngineCommand): void;
  close(): void;
}

export interface EnginePorts {
  onEvent(event: EngineEvent): void;
  /** The engine's thread is gone: no event follows. */
  onLost(reason: string): void;
}

/**
 * The engine in a worker of its own, or in the page itself where the page's policy allows no worker.
 * @param workerSource null: not in a worker
 */
export async function openEngine(workerSource: string | null, ports: EnginePorts): Promise<EngineLink> {
  const worker = workerSource === null ? null : await openWorker(workerSource);
  if (!worker) {
    let closed = false;
    const engine = new CaptureEngine((event) => {
      if (!closed) ports.onEvent(event);
    });
    const close = (): void => {
      closed = true;
      engine.handle({ kind: 'stop', atMs: exactPageNow() });
    };
    return { thread: 'page', send: (command) => engine.handle(command), close };
  }
  return linkWorker(worker, ports);
}

function linkWorker(worker: Worker, ports: EnginePorts): EngineLink {
  let closed = false;
  const stopWatching = watchLife(worker, (reason) => {
    if (!closed) ports.onLost(reason);
  });
  worker.onmessage = (message: MessageEvent<EngineEvent>) => {
    if (!closed) ports.onEvent(message.data);
  };
  return {
    thread: 'worker',
    send: (command) => worker.postMessage(command, transfersOf(command)),
    close: () => {
      closed = true;
      stopWatching();
      worker.terminate();
    },
  };
}

/**
 * A worker fires no event when it ends. It holds a lock while it lives, and the page waits for that lock. Pages without
 * locks (no secure origin) detect the end only by missing events.
 */
function watchLife(worker: Worker, onGone: (reason: string) => void): () => void {
  worker.onerror = (event) => {
    // An exception in our script does not end the worker; a worker that cannot continue sends no more events.
    event.preventDefault();
  };
  const { locks } = navigator as { readonly locks?: LockManager };
  if (!locks) return () => undefined;
  const name = `rapporteur-recorder-${crypto.randomUUID()}`;
  const waiting = new AbortController();
  const command: EngineCommand = { kind: 'hold', lock: name };
  worker.addEventListener('message', function held(message: MessageEvent<EngineEvent>) {
    if (message.data.kind !== 'held') return;
    worker.removeEventListener('message', held);
    locks
      .request(name, { signal: waiting.signal }, () => onGone('The recorder’s worker ended.'))
      .catch(() => undefined);
  });
  worker.postMessage(command);
  return () => waiting.abort();
}

function transfersOf(command: EngineCommand): Transferable[] {
  const { frames = null } = 'frames' in command ? command : {};
  return frames ? [frames] : [];
}

/** The engine's worker, where the page allows one. */
async function openWorker(source: string): Promise<Worker | null> {
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  let waiting: ReturnType<typeof setInterval> | undefined;
  try {
    const worker = new Worker(trusted(address));
    const latestOriginMs = await new Promise<number | null>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<EngineEvent>) =>
        resolve(data.kind === 'ready' ? exactPageNow() - data.ownMs : null);
      worker.onerror = () => resolve(null);
      let ticks = 0;
      waiting = setInterval(() => ++ticks >= workerReadyTicks && resolve(null), tickMs);
    });
    if (latestOriginMs !== null) {
      worker.postMessage({ kind: 'time', nowMs: exactPageNow(), latestOriginMs } satisfies EngineCommand);
      return worker;
    }
    worker.terminate();
    return null;
  } catch {
    return null;
  } finally {
    clearInterval(waiting);
    URL.revokeObjectURL(address);
  }
}

/** Pages that enforce trusted types take a script's address only from a policy, which some of them allow to make. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as unknown as ChromiumGlobal;
  if (!trustedTypes) return address;
  try {
    return trustedTypes
      .createPolicy('rapporteur-recorder', { createScriptURL: (text) => text })
      .createScriptURL(address);
  } catch {
    return address;
  }
}
