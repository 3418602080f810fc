import { afterEach, expect, test } from '@jest/globals';
import { repeatUntilStopped } from './repeat.ts';
import type { Repetition } from './repeat.ts';
import { FakeClock } from './testing.ts';

let repetition: Repetition | undefined;
afterEach(() => repetition?.stop());

/** Runs all work that does not wait for the clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function start(restMs?: number): { readonly clock: FakeClock; readonly rounds: number[] } {
  const clock = new FakeClock();
  const rounds: number[] = [];
  const beganMs = clock.now();
  const work = async () => void rounds.push(clock.now() - beganMs);
  repetition = repeatUntilStopped(clock, 1_000, work, restMs === undefined ? {} : { restMs });
  return { clock, rounds };
}

test('a notification after a quiet moment starts a round at once, and many soon after it start one', async () => {
  const { clock, rounds } = start(250);
  await settle();
  await clock.advance(600);
  for (let notify = 0; notify < 10; notify += 1) {
    repetition?.notify();
    await settle();
  }
  expect(rounds).toEqual([0, 600]);
  await clock.advance(249);
  expect(rounds).toEqual([0, 600]);
  await clock.advance(1);
  await settle();
  expect(rounds).toEqual([0, 600, 850]);
  await clock.advance(1_000);
  await settle();
  expect(rounds).toEqual([0, 600, 850, 1_850]);
});

test.each([3_600_000, -3_600_000])(
  'a clock that is corrected by %s ms during a round delays no round',
  async (byMs) => {
    const { clock, rounds } = start(250);
    await settle();
    clock.correct(byMs);
    repetition?.notify();
    await clock.advance(250);
    expect(rounds).toHaveLength(2);
  },
);

test('without a rest every notification is a round, and stopping ends a rest', async () => {
  const { rounds } = start();
  await settle();
  for (let notify = 0; notify < 3; notify += 1) {
    repetition?.notify();
    await settle();
  }
  expect(rounds).toHaveLength(4);
  await repetition?.stop();
  const rested = start(10_000);
  await settle();
  repetition?.notify();
  await settle();
  await repetition?.stop();
  expect(rested.rounds).toEqual([0]);
});

test('stopping waits for the round that was begun, and none comes after it', async () => {
  const clock = new FakeClock();
  let [begun, over] = [0, false];
  let finish = (): void => undefined;
  const working = new Promise<void>((resolve) => (finish = resolve));
  repetition = repeatUntilStopped(clock, 1_000, () => {
    begun += 1;
    return working;
  });
  const stopped = repetition.stop().then(() => (over = true));
  await settle();
  expect(over).toBe(false);
  finish();
  await stopped;
  await clock.advance(10_000);
  expect(begun).toBe(1);
});
