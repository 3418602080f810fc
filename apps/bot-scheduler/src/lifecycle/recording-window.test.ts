import { expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import { createRecordingWindow } from './recording-window.ts';

test('the window is closed until something is recorded, goes on without a gap, and begins anew after one', async () => {
  const clock = new FakeClock(0);
  const window = createRecordingWindow(clock, 5_000);
  await clock.advance(20_000);
  expect(window.beganMs()).toBe(20_000);
  for (const ms of [4_000, 4_000, 5_000]) {
    window.noteRecorded(clock.now());
    await clock.advance(ms);
  }
  expect(window.beganMs()).toBe(20_000);
  await clock.advance(1_000);
  expect(window.beganMs()).toBe(clock.now());
  window.noteRecorded(clock.now());
  await clock.advance(2_000);
  expect(window.beganMs()).toBe(34_000);
});

test('renewals that were dropped end the window', async () => {
  const clock = new FakeClock(0);
  const window = createRecordingWindow(clock, 5_000);
  window.noteRecorded(0);
  await clock.advance(1_000);
  window.noteDropped();
  await clock.advance(1_000);
  window.noteRecorded(clock.now());
  expect(window.beganMs()).toBe(2_000);
});
