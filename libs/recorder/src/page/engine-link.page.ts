import { CaptureEngine } from './capture-engine.page.ts';
import type { ChromiumGlobal } from './chromium-media.ts';
import type { EngineCommand, EngineEvent } from './messages.ts';

const workerReadyMs = 2_000;

export interface EngineLink {
  readonly thread: 'worker' | 'page';
  send(command: EngineCommand): void;
  close(): void;
}

/** The engine in a worker of its own, or in the page itself where the page's policy allows no worker. */
export async function openEngine(workerSource: string, onEvent: (event: EngineEvent) => void): Promise<EngineLink> {
  const worker = await openWorker(workerSource);
  if (!worker) {
    const engine = new CaptureEngine(onEvent);
    const close = (): void => engine.handle({ kind: 'stop', atMs: performance.timeOrigin + performance.now() });
    return { thread: 'page', send: (command) => engine.handle(command), close };
  }
  worker.onmessage = (message: MessageEvent<EngineEvent>) => onEvent(message.data);
  return {
    thread: 'worker',
    send: (command) => worker.postMessage(command, transfersOf(command)),
    close: () => worker.terminate(),
  };
}

function transfersOf(command: EngineCommand): Transferable[] {
  return (command.kind === 'sound' || command.kind === 'picture') && command.frames ? [command.frames] : [];
}

async function openWorker(source: string): Promise<Worker | null> {
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    const worker = new Worker(trusted(address));
    const ready = await new Promise<boolean>((resolve) => {
      worker.onmessage = () => resolve(true);
      worker.onerror = () => resolve(false);
      setTimeout(() => resolve(false), workerReadyMs);
    });
    if (ready) return worker;
    worker.terminate();
    return null;
  } catch {
    return null;
  } finally {
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
