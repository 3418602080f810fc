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
  scope.onmessage = (message) => engine.handle(message.data);
  scope.postMessage({ kind: 'ready' });
}
