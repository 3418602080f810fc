import { alignTimeOrigin } from '@rapporteur/page-scripts/page-time';
import { CaptureEngine } from './capture-engine.page.ts';
import type { EngineCommand, EngineEvent } from './messages.ts';

interface WorkerScope {
  onmessage: ((message: MessageEvent<EngineCommand>) => void) | null;
  postMessage(event: EngineEvent): void;
}

/** The worker's side: the engine behind a message port. */
export function install(): void {
  const scope = globalThis as unknown as WorkerScope;
  const engine = new CaptureEngine((event) => scope.postMessage(event));
  scope.onmessage = ({ data: command }) => {
    if (command.kind === 'hold') holdLock(command.lock, () => scope.postMessage({ kind: 'held' }));
    else if (command.kind === 'time') alignTimeOrigin(command.nowMs - performance.now(), command.latestOriginMs);
    else engine.handle(command);
  };
  scope.postMessage({ kind: 'ready', ownMs: performance.now() });
}

/** Until the worker ends. */
function holdLock(name: string, onHeld: () => void): void {
  void navigator.locks
    .request(name, async () => {
      onHeld();
      await new Promise(() => undefined);
    })
    .catch(() => undefined);
}
