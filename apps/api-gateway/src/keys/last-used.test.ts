import { describe, expect, test } from '@jest/globals';
import { createLogger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { LastUsed } from './last-used.ts';

async function recording(fails = false) {
  const clock = new FakeClock(0);
  const written: [string, number][][] = [];
  const lastUsed = new LastUsed({
    write: (usedAtMs) => {
      written.push([...usedAtMs]);
      return fails ? Promise.reject(new Error('no database')) : Promise.resolve();
    },
    clock,
    logger: createLogger('test', 'silent'),
  });
  lastUsed.start();
  await clock.advance(0);
  return { clock, lastUsed, written };
}

describe('the last use of keys', () => {
  test('is written every ten seconds, once per key, with the newest time', async () => {
    const { clock, lastUsed, written } = await recording();
    lastUsed.note('a');
    await clock.advance(5_000);
    lastUsed.note('a');
    lastUsed.note('b');
    await clock.advance(5_000);
    await clock.advance(10_000);
    expect(written).toEqual([
      [
        ['a', 5_000],
        ['b', 5_000],
      ],
    ]);
    await lastUsed.stop();
  });

  test('is written once more on stopping, and stopping twice is safe', async () => {
    const { lastUsed, written } = await recording();
    lastUsed.note('a');
    await lastUsed.stop();
    await lastUsed.stop();
    expect(written).toEqual([[['a', 0]]]);
  });

  test('that cannot be written stops nothing', async () => {
    const { clock, lastUsed, written } = await recording(true);
    lastUsed.note('a');
    await clock.advance(10_000);
    lastUsed.note('a');
    await clock.advance(10_000);
    expect(written).toHaveLength(2);
    await lastUsed.stop();
  });
});
