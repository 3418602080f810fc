import { describe, expect, test } from '@jest/globals';
import { callbackPausesMs, nextCallbackStep } from './delivery-queue.ts';
import { attemptPausesMs, nextStep } from './schedule.ts';
import type { AttemptResult } from './schedule.ts';

const failed: AttemptResult = {
  succeeded: false,
  statusCode: 500,
  timedOut: false,
  retryAfterMs: null,
  error: 'The endpoint responded with 500.',
  responseBody: null,
  durationMs: 5,
};
const minute = 60_000;
const day = 24 * 60 * minute;

describe('the schedule', () => {
  test('is: at once, 5 s, 10 s, 5 min, 15 min, 30 min, 2 h', () => {
    expect(attemptPausesMs).toEqual([0, 5_000, 10_000, 5 * minute, 15 * minute, 30 * minute, 120 * minute]);
  });

  test('ends inside the 4 hours that links in a message work, even at its longest', () => {
    const longest = attemptPausesMs.reduce((sum, pause) => sum + pause * 1.2 + 30_000, 0);
    expect(longest).toBeLessThan(4 * 60 * minute);
  });

  test.each([1, 2, 3, 4, 5, 6])('spreads the pause after attempt %i by 20 %% at most', (tries) => {
    const pause = attemptPausesMs[tries] ?? 0;
    expect(nextStep(failed, tries, 0)).toEqual({ state: 'pending', pauseMs: pause * 0.8 });
    expect(nextStep(failed, tries, 0.5)).toEqual({ state: 'pending', pauseMs: pause });
    expect(nextStep(failed, tries, 1)).toEqual({ state: 'pending', pauseMs: pause * 1.2 });
  });

  test('is used up after the seventh attempt', () => {
    expect(nextStep(failed, 7, 0.5)).toEqual({ state: 'failed' });
  });

  test('ends with the first success', () => {
    expect(nextStep({ ...failed, succeeded: true, statusCode: 204 }, 1, 0.5)).toEqual({ state: 'succeeded' });
  });

  test.each([
    ['responds with 429', { statusCode: 429 }],
    ['does not respond in time', { statusCode: null, timedOut: true }],
  ])('leaves an endpoint that %s alone for at least a minute', (_what, change) => {
    expect(nextStep({ ...failed, ...change }, 1, 0.5)).toEqual({ state: 'pending', pauseMs: minute });
    expect(nextStep({ ...failed, ...change }, 3, 0.5)).toEqual({ state: 'pending', pauseMs: 5 * minute });
    expect(nextStep({ ...failed, ...change }, 7, 0.5)).toEqual({ state: 'failed' });
  });

  test('waits as long as the endpoint requests, but never more than a day', () => {
    const requesting = (retryAfterMs: number) => nextStep({ ...failed, statusCode: 503, retryAfterMs }, 1, 0.5);
    expect(requesting(90_000)).toEqual({ state: 'pending', pauseMs: 90_000 });
    expect(requesting(1_000)).toEqual({ state: 'pending', pauseMs: 5_000 });
    expect(requesting(365 * day)).toEqual({ state: 'pending', pauseMs: day });
  });

  test('never gives a message up because of 410: the endpoint is disabled and the message held', () => {
    expect(nextStep({ ...failed, statusCode: 410 }, 7, 0.5)).toMatchObject({ state: 'pending' });
  });
});

describe('the schedule of a callback', () => {
  test('spreads the pauses that it has in common with webhooks, and no shorter ones', () => {
    const pauses = callbackPausesMs.slice(1).map((pause) => (pause < minute ? pause : pause * 1.2));
    const steps = pauses.map((_pause, index) => nextCallbackStep('callback', failed, index + 1, 1));
    expect(steps).toEqual(pauses.map((pauseMs) => ({ state: 'pending', pauseMs })));
    expect(nextCallbackStep('callback', failed, callbackPausesMs.length, 1)).toEqual({ state: 'failed' });
  });
});
