import { afterEach, expect, test } from '@jest/globals';
import { timeOriginMs } from '@rapporteur/page-scripts/page-time';
import { install } from './capture-worker.page.ts';
import type { EngineCommand, EngineEvent } from './messages.ts';

type Scope = { onmessage?: ((message: { data: EngineCommand }) => void) | null };
const scope = globalThis as unknown as Scope;
const events: EngineEvent[] = [];

afterEach(() => {
  for (const name of ['postMessage', 'onmessage', 'rapporteurTimeOriginMs']) Reflect.deleteProperty(globalThis, name);
});

test.each([-10, 10])('a worker opened after a correction by %i minutes has the time of its page', (minutes) => {
  Object.assign(globalThis, { postMessage: (event: EngineEvent) => events.push(event) });
  install();
  const ready = events.at(-1);
  if (ready?.kind !== 'ready') throw new Error('The worker is not ready.');
  const pageOriginMs = performance.timeOrigin - minutes * 60_000;
  const nowMs = pageOriginMs + performance.now();
  scope.onmessage?.({ data: { kind: 'time', nowMs, latestOriginMs: nowMs - ready.ownMs } });
  expect(Math.abs(timeOriginMs() - pageOriginMs)).toBeLessThan(30_000);
});
