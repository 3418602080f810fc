import { beforeEach, expect, test } from '@jest/globals';
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
  for (let accepted = 0; accepted < 100; accepted += 1) pace.accepted();
  expect(pace.perSecond).toBe(20);
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
