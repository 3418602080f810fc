import { describe, expect, test } from '@jest/globals';
import type { SessionClock } from '../platform.ts';
import { DialogPresses, repeatPress } from './repeat-press.ts';

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

describe('a dialog of a call', () => {
  /** The seconds at which it is pressed, and at which it is reported to stay. */
  const follow = (textAt: (second: number) => string | null, seconds: number) => {
    const presses = new DialogPresses();
    const pressedAt: number[] = [];
    const stayedAt: number[] = [];
    for (let second = 0; second < seconds; second += 1) {
      const text = textAt(second);
      if (text === null) continue;
      const { may, stays, pressed } = presses.show(text, second * 1_000);
      if (stays) stayedAt.push(second);
      if (may) pressedAt.push(second);
      if (may) pressed();
    }
    return { pressedAt, stayedAt };
  };

  test('that stays is pressed three times and reported once, also with a countdown in its text', () => {
    expect(follow(() => 'Camera not found', 3_600)).toEqual({ pressedAt: [0, 1, 2], stayedAt: [3] });
    const counts = (second: number): string => `This call will end in ${3_600 - second} seconds`;
    expect(follow(counts, 3_600)).toEqual({ pressedAt: [0, 1, 2], stayedAt: [3] });
  });

  test('that opens anew every five minutes is pressed every time', () => {
    const asked = (second: number): string | null => (second % 300 === 0 ? 'Are you still there?' : null);
    expect(follow(asked, 1_501)).toEqual({ pressedAt: [0, 300, 600, 900, 1_200, 1_500], stayedAt: [] });
  });

  test('that comes back at once after each press is no new one', () => {
    const flickers = (second: number): string | null => (second % 2 === 0 ? 'Camera not found' : null);
    expect(follow(flickers, 600)).toEqual({ pressedAt: [0, 2, 4], stayedAt: [6] });
  });
});
