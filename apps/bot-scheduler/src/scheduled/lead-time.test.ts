import { describe, expect, test } from '@jest/globals';
import { leadTimeMs } from './lead-time.ts';
import type { DueCount } from './lead-time.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);
const limits = { leastMs: 20_000, mostMs: 230_000 };
const pace = { perSecond: 20, startLatencyMs: 5_000 };
const due = (inSeconds: number, bots: number): DueCount => ({ joinAtMs: nowMs + inSeconds * 1_000, bots });
const lead = (counts: DueCount[], over: Partial<typeof pace> = {}) =>
  leadTimeMs(counts, { ...pace, ...over }, limits, nowMs);

describe('the lead time', () => {
  test('of a single bot is what its runner needs to start', () => {
    expect(lead([due(100, 1)])).toBe(25_000);
    expect(leadTimeMs([], { perSecond: Infinity, startLatencyMs: null }, limits, nowMs)).toBe(20_000);
  });

  test('of many bots of one second begins as early as they take', () => {
    expect(lead([due(76, 1_000)])).toBe(25_000);
    expect(lead([due(75, 1_000)])).toBe(75_000);
  });

  test('follows the pace', () => {
    expect(lead([due(75, 1_000)], { perSecond: 100 })).toBe(25_000);
    expect(lead([due(75, 1_000)], { perSecond: Infinity })).toBe(25_000);
    expect(lead([due(90, 1_000)], { startLatencyMs: 20_000 })).toBe(90_000);
  });

  test('counts the bots that come before', () => {
    expect(lead([due(60, 400), due(50, 400)])).toBe(60_000);
    expect(lead([due(0, 800), due(60, 1)])).toBe(60_000);
  });

  test('takes in earlier bots of a late crowd, not later ones', () => {
    expect(lead([due(40, 1), due(70, 1_000), due(200, 1)])).toBe(70_000);
  });

  test('ends where schedules can still be changed', () => {
    expect(lead([due(400, 10_000)])).toBe(230_000);
  });
});
