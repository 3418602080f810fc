import { beforeEach, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import { createTurns } from './turns.ts';
import type { Turns } from './turns.ts';

let clock: FakeClock;
let turns: Turns;
let begun: string[];
let finish: Map<string, (error?: Error) => void>;
beforeEach(() => {
  clock = new FakeClock();
  turns = createTurns(clock, { atOnce: 2, waitingAtMost: 3, waitAtMostMs: 1_000 });
  begun = [];
  finish = new Map();
});

const run = (name: string) =>
  turns(() => {
    begun.push(name);
    return new Promise<string>((resolve, reject) =>
      finish.set(name, (error) => (error === undefined ? resolve(name) : reject(error))),
    );
  });
const settled = () => clock.advance(0);

test('so many run at once, and whoever waits longest comes next, whether a work succeeds or fails', async () => {
  const works = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name).catch((error: Error) => error.message));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  finish.get('b')?.();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  finish.get('c')?.(new Error('no'));
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'd']) finish.get(name)?.();
  await settled();
  finish.get('e')?.();
  expect(await Promise.all(works)).toEqual(['a', 'b', 'no', 'd', 'e']);
  expect(clock.sleeping).toBe(0);
});

test('whoever waits too long, or behind too many, is UNAVAILABLE and takes no turn away', async () => {
  const works = ['a', 'b', 'late', 'late too', 'late as well'].map((name) =>
    run(name).catch((error: { code: string }) => error.code),
  );
  await expect(run('one too many')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await clock.advance(1_000);
  expect(await Promise.all(works.slice(2))).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
  for (const name of ['a', 'b']) finish.get(name)?.();
  await settled();
  void run('c');
  void run('d');
  void run('e');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});
