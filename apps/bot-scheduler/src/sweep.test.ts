import { afterEach, expect, test } from '@jest/globals';
import { createLogger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { startSweep } from './sweep.ts';
import type { Sweep } from './sweep.ts';

let sweep: Sweep | undefined;
afterEach(() => sweep?.stop());

/** Lets everything go on that waits for no clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function start(restMs?: number): { readonly clock: FakeClock; readonly rounds: number[] } {
  const clock = new FakeClock();
  const rounds: number[] = [];
  const beganMs = clock.now();
  sweep = startSweep({
    what: 'Testing',
    everyMs: 1_000,
    ...(restMs === undefined ? {} : { restMs }),
    work: async () => void rounds.push(clock.now() - beganMs),
    clock,
    logger: createLogger('test', 'silent'),
  });
  return { clock, rounds };
}

test('a ring after a quiet moment is answered at once, and many soon after it by one round', async () => {
  const { clock, rounds } = start(250);
  await settle();
  await clock.advance(600);
  for (let ring = 0; ring < 10; ring += 1) {
    sweep?.ring();
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

test('without a rest every ring is a round, and stopping ends a rest', async () => {
  const { rounds } = start();
  await settle();
  for (let ring = 0; ring < 3; ring += 1) {
    sweep?.ring();
    await settle();
  }
  expect(rounds).toHaveLength(4);
  await sweep?.stop();
  const rested = start(10_000);
  await settle();
  sweep?.ring();
  await settle();
  await sweep?.stop();
  expect(rested.rounds).toEqual([0]);
});
