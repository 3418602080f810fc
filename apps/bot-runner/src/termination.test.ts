import { expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { stayWhileDisplaced, Termination } from './termination.ts';

function openRun(graceMs: number) {
  const clock = new FakeClock(0);
  const displaced = new AbortController();
  const termination = new Termination(graceMs, clock);
  let renewals = 0;
  const stay = (): void =>
    stayWhileDisplaced(termination, { displaced: displaced.signal, renewNow: () => (renewals += 1), clock });
  return { clock, displaced, termination, stay, renewals: () => renewals };
}

test('a run that attends no meeting drains with the signal', () => {
  const { termination } = openRun(60_000);
  termination.request();
  expect(termination.drain.aborted).toBe(true);
});

test('a run that no other one replaces drains as soon as that is known', async () => {
  const { termination, stay, clock, renewals } = openRun(60_000);
  stay();
  termination.request();
  await clock.advance(2_000);
  expect(termination.drain.aborted).toBe(false);
  await clock.advance(1_000);
  expect(termination.drain.aborted).toBe(true);
  expect(renewals()).toBeGreaterThan(2);
});

test('a displaced run stays until only the time to save is left', async () => {
  const { termination, stay, clock, displaced } = openRun(60_000);
  stay();
  displaced.abort();
  termination.request();
  await clock.advance(34_900);
  expect(termination.drain.aborted).toBe(false);
  await clock.advance(200);
  expect(termination.drain.aborted).toBe(true);
});

test('a grace period that is only enough to save leaves no time to stay', () => {
  const { termination, stay, displaced } = openRun(25_000);
  stay();
  displaced.abort();
  termination.request();
  expect(termination.drain.aborted).toBe(true);
});
