import { expect, test } from '@jest/globals';
import { speechSpans } from './participant-audio-files.ts';

/** The spans of runs by their beginnings in ms. A packet lasts 20 ms; a negative size marks one without speech. */
function spansOf(sizesByStart: Readonly<Record<number, readonly number[]>>) {
  const runs = Object.entries(sizesByStart).map(([startMs, sizes]) => ({
    participantId: 'ann',
    participantName: 'Ann',
    startUs: 0,
    dataAt: 0,
    path: '',
    sizes: Int16Array.from(sizes),
    startSample: Number(startMs) * 48,
  }));
  return speechSpans([{ participantId: 'ann', participantName: 'Ann', runs }]);
}
const spoken = (packets: number): number[] => Array.from({ length: packets }, () => 80);
const silent = (packets: number): number[] => Array.from({ length: packets }, () => -80);

test('speech lasts 100 ms at least', () => {
  expect(spansOf({ 1_000: spoken(4) })).toEqual([]);
  expect(spansOf({ 1_000: spoken(5) })).toEqual([{ startMs: 1_000, endMs: 1_100 }]);
});

test('a pause of up to 300 ms is part of the speech', () => {
  expect(spansOf({ 1_000: [...spoken(5), ...silent(15), ...spoken(5)] })).toEqual([{ startMs: 1_000, endMs: 1_500 }]);
  expect(spansOf({ 1_000: [...spoken(5), ...silent(16), ...spoken(5)] })).toEqual([
    { startMs: 1_000, endMs: 1_100 },
    { startMs: 1_420, endMs: 1_520 },
  ]);
});

test('speech within longer speech does not shorten it', () => {
  expect(spansOf({ 1_000: spoken(50), 1_200: spoken(5) })).toEqual([{ startMs: 1_000, endMs: 2_000 }]);
});
