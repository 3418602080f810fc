import { afterEach, expect, test } from '@jest/globals';
import { alignTimeOrigin, exactPageNow, pageNow, timeOriginMs } from './page-time.page.ts';

const own = performance.timeOrigin;
const minuteMs = 60_000;
afterEach(() => void Reflect.deleteProperty(globalThis, 'rapporteurTimeOriginMs'));

test('a document that is aligned with nothing has its own time', () => {
  expect(timeOriginMs()).toBe(own);
  expect(Math.abs(exactPageNow() - own - performance.now())).toBeLessThan(minuteMs);
  expect(Number.isInteger(pageNow())).toBe(true);
});

test('delays of a message do not move the time of a document', () => {
  alignTimeOrigin(own - 2_000, own);
  expect(timeOriginMs()).toBe(own);
});

test.each([-10, 10])('a correction by %i minutes before the document began does', (minutes) => {
  const clockMs = own + minutes * minuteMs;
  alignTimeOrigin(clockMs - 20, clockMs);
  expect(timeOriginMs()).toBe(clockMs - 10);
  expect(Math.abs(pageNow() - performance.now() - clockMs)).toBeLessThan(minuteMs);
});

test('a document is aligned once: times of its scripts never jump', () => {
  alignTimeOrigin(own + minuteMs, own + minuteMs);
  alignTimeOrigin(own - minuteMs, own - minuteMs);
  expect(timeOriginMs()).toBe(own + minuteMs);
});
