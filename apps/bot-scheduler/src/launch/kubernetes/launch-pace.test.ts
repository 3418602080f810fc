import { beforeEach, describe, expect, test } from '@jest/globals';
import { LaunchPace } from './launch-pace.ts';

let nowMs = 0;
let pace: LaunchPace;
beforeEach(() => {
  nowMs = 1_000_000;
  pace = new LaunchPace({ perSecond: 20, now: () => nowMs });
});
const takeAll = (): number => {
  const slots = pace.slots();
  for (let taken = 0; taken < slots; taken += 1) pace.take();
  return slots;
};

test('lets as many launches begin as its rate allows', () => {
  expect(takeAll()).toBe(20);
  expect(pace.slots()).toBe(0);
  nowMs += 500;
  expect(takeAll()).toBe(10);
  nowMs += 60_000;
  expect(takeAll()).toBe(20);
});

test('pauses and slows down when a launch is refused, once for those that were in progress together', () => {
  pace.refused(3_000);
  pace.refused(1_000);
  expect(pace.perSecond).toBeCloseTo(14);
  nowMs += 2_999;
  expect(pace.slots()).toBe(0);
  nowMs += 1;
  expect(pace.slots()).toBeGreaterThan(0);
});

test('is as fast as before after launches that were accepted, and never faster', () => {
  pace.refused(0);
  for (let launch = 0; launch < 100; launch += 1) {
    pace.take();
    pace.accepted();
  }
  expect(pace.perSecond).toBe(20);
});

describe('with an API server that accepts all and is slow', () => {
  /** Concurrent launches; each takes `eachMs` of the API server exclusively. */
  const launchTogether = (launches: number, eachMs: number): void => {
    for (let launch = 0; launch < launches; launch += 1) pace.take();
    for (let launch = 0; launch < launches; launch += 1) {
      nowMs += eachMs;
      pace.accepted();
    }
  };
  beforeEach(() => {
    pace = new LaunchPace({ perSecond: 100, now: () => nowMs });
  });

  test('assumes 20 per second before anything was measured', () => {
    expect(pace.perSecond).toBe(20);
  });

  test('follows what the API server completes while requests are in progress', () => {
    launchTogether(200, 100);
    expect(pace.perSecond).toBeCloseTo(10, 0);
    launchTogether(400, 12.5);
    expect(pace.perSecond).toBeCloseTo(80, 0);
    for (let launch = 0; launch < 50; launch += 1) launchTogether(1, 2_000);
    expect(pace.perSecond).toBeCloseTo(80, 0);
  });

  test('does not count launches that failed', () => {
    launchTogether(400, 12.5);
    for (let launch = 0; launch < 200; launch += 1) pace.take();
    for (let launch = 0; launch < 200; launch += 1) pace.failed();
    expect(pace.perSecond).toBeCloseTo(80, 0);
  });

  test('keeps launching at the rate that is allowed', () => {
    launchTogether(200, 100);
    nowMs += 1_000;
    expect(pace.slots()).toBe(100);
  });
});

test('never stops for good', () => {
  for (let refusals = 0; refusals < 100; refusals += 1) {
    pace.refused(1);
    nowMs += 2_000;
  }
  expect(pace.perSecond).toBe(1);
  expect(pace.slots()).toBeGreaterThan(0);
});

test('knows how long runs take to start', () => {
  expect(pace.startLatencyMs).toBe(null);
  for (let run = 1; run <= 300; run += 1) pace.started(run);
  expect(pace.startLatencyMs).toBe(290);
});
