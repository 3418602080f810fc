import { expect, test } from '@jest/globals';
import type { AttemptMaterial } from './collect-attempts.ts';
import { withoutOverlap } from './build-artifacts.ts';

/** Fragments of 4 s. */
function attempt(number: number, startedAtMs: number, seconds: number, over: Partial<AttemptMaterial> = {}) {
  const fragments = Array.from({ length: Math.ceil(seconds / 4) }, (_, index) => ({
    file: '',
    record: { sequence: index + 1, startMs: index * 4_000, endMs: Math.min((index + 1) * 4_000, seconds * 1_000) },
  }));
  const known = { initFile: '', end: null, pauses: [], resourceUsage: null, events: [], eventsLost: 0 };
  return { ...known, attempt: number, startedAtMs, fragments, ...over } as unknown as AttemptMaterial;
}
const lengths = (attempts: readonly AttemptMaterial[]) => withoutOverlap(attempts).map((one) => one.fragments.length);

test('attempts that follow each other are kept whole', () => {
  expect(lengths([attempt(1, 0, 20), attempt(2, 20_040, 8)])).toEqual([5, 2]);
});

test('what an attempt recorded beside the next one is left out, in whole fragments', () => {
  // Recorded until 22 s; the second one began at 18.5 s.
  expect(lengths([attempt(1, 0, 22), attempt(2, 18_500, 40)])).toEqual([4, 10]);
});

test('times are those of the clock, with the pauses before', () => {
  const pauses = [{ startMs: 6_000, endMs: 16_000 }];
  expect(lengths([attempt(1, 0, 12, { pauses }), attempt(2, 19_000, 8)])).toEqual([2, 2]);
});

test('an attempt that recorded nothing takes nothing from the others', () => {
  expect(lengths([attempt(1, 0, 20), attempt(2, 10_000, 0)])).toEqual([5, 0]);
});

test('what happened meanwhile is taken from the later one, but for chat, which either may have missed', () => {
  const at = (atMs: number) => [
    { kind: 'captions', atMs },
    { kind: 'chat', id: `${atMs}`, sentAtMs: atMs },
  ];
  const events = [...at(10_000), ...at(19_000)] as unknown as AttemptMaterial['events'];
  const [first, second] = withoutOverlap([attempt(1, 0, 22, { events }), attempt(2, 18_000, 8, { events })]);
  expect(first?.events.map(({ kind }) => kind)).toEqual(['captions', 'chat', 'chat']);
  expect(second?.events.length).toBe(4);
});
