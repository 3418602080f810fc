import { expect, test } from '@jest/globals';
import type { SessionClock } from '../platform.ts';
import { repeatPress } from './repeat-press.ts';

/** Sleeping advances the time. */
function steppedClock(): SessionClock {
  let nowMs = 0;
  return { now: () => nowMs, sleep: async (ms) => void (nowMs += ms) };
}

const times = { againMs: 4_000, timeoutMs: 9_000 };

test('a press that was refused is repeated at the next look', async () => {
  let presses = 0;
  const press = async () => (presses += 1) >= 3;
  const outcome = await repeatPress({ ...times, happened: async () => presses >= 3, press }, steppedClock());
  expect({ ...outcome, presses }).toEqual({ happened: true, pressedAtMs: 200, presses: 3 });
});

test('a press that was taken has its time to show before it is repeated', async () => {
  const clock = steppedClock();
  const pressedAt: number[] = [];
  const press = async () => pressedAt.push(clock.now()) > 0;
  const outcome = await repeatPress({ ...times, happened: async () => clock.now() > 4_500, press }, clock);
  expect(pressedAt).toEqual([0, 4_000]);
  expect(outcome.happened).toBe(true);
});

test('nothing is pressed where it has happened, and nothing after the time is over or the signal aborts', async () => {
  let presses = 0;
  const press = async () => ++presses > 0;
  expect(await repeatPress({ ...times, happened: async () => true, press }, steppedClock())).toMatchObject({
    happened: true,
    pressedAtMs: null,
  });
  const aborted = AbortSignal.abort();
  const waiting = { ...times, happened: async () => false, press };
  expect((await repeatPress(waiting, steppedClock(), aborted)).happened).toBe(false);
  expect(presses).toBe(0);
  expect(await repeatPress(waiting, steppedClock())).toEqual({ happened: false, pressedAtMs: 8_000 });
});
