import { describe, expect, test } from '@jest/globals';
import { fitInto, layOutGallery, participantsBesideScreenMax, participantsMax } from './gallery-layout.page.ts';
import type { Rectangle } from './gallery-layout.page.ts';

const size = { width: 1_280, height: 720 };
const participants = (count: number) => Array.from({ length: count }, () => ({ kind: 'camera' as const }));
const withScreen = (count: number) => [{ kind: 'screen' as const }, ...participants(count)];
const area = ({ width, height }: Rectangle): number => width * height;

function overlap(one: Rectangle, other: Rectangle): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}

function expectAudio(places: readonly Rectangle[], gap: number, within = size): void {
  for (const [index, place] of places.entries()) {
    for (const edge of [place.left, place.top, place.width, place.height]) expect(edge % 2).toBe(0);
    expect(place.left).toBeGreaterThanOrEqual(gap);
    expect(place.top).toBeGreaterThanOrEqual(gap);
    expect(place.left + place.width).toBeLessThanOrEqual(within.width - gap);
    expect(place.top + place.height).toBeLessThanOrEqual(within.height - gap);
    for (const other of places.slice(index + 1)) expect(overlap(place, other)).toBe(false);
  }
}

describe('the layout of the gallery', () => {
  test.each(Array.from({ length: participantsMax }, (_none, index) => index + 1))(
    'gives %d people places of one size and of 16:9 that touch neither each other nor the edge',
    (count) => {
      const { places, gap } = layOutGallery(participants(count), size);
      expect(places).toHaveLength(count);
      expectAudio(places, gap);
      expect(new Set(places.map(({ width, height }) => `${width}x${height}`)).size).toBe(1);
      expect(Math.abs(places[0]!.width / places[0]!.height / (16 / 9) - 1)).toBeLessThan(0.03);
    },
  );

  test('takes the grid in which people are largest, and puts a last row that is not full in the middle', () => {
    const rowsOf = (count: number): number[] => {
      const { places } = layOutGallery(participants(count), size);
      return [...new Set(places.map(({ top }) => top))].map((row) => places.filter(({ top }) => top === row).length);
    };
    expect([1, 2, 3, 4, 5, 6, 9, 10, 16, 17, 25].map(rowsOf)).toEqual([
      [1],
      [2],
      [2, 1],
      [2, 2],
      [3, 2],
      [3, 3],
      [3, 3, 3],
      [4, 4, 2],
      [4, 4, 4, 4],
      [5, 5, 5, 2],
      [5, 5, 5, 5, 5],
    ]);
    const [, , third] = layOutGallery(participants(3), size).places;
    expect(Math.abs(third!.left + third!.width / 2 - size.width / 2)).toBeLessThanOrEqual(2);
  });

  test.each(Array.from({ length: participantsBesideScreenMax + 1 }, (_none, index) => index))(
    'shows a shared screen large with %d people in a column beside it',
    (count) => {
      const { places, gap } = layOutGallery(withScreen(count), size);
      expect(places).toHaveLength(count + 1);
      expectAudio(places, gap);
      const [screen, ...strip] = places;
      expect(screen!.width).toBeGreaterThanOrEqual(size.width * 0.78);
      expect(new Set(strip.map(({ left }) => left)).size).toBeLessThanOrEqual(1);
      for (const place of strip) expect(area(place)).toBeLessThan(area(screen!) / 10);
    },
  );

  test('fits other sizes of the picture as well', () => {
    for (const other of [
      { width: 640, height: 360 },
      { width: 1_920, height: 1_080 },
      { width: 720, height: 1_280 },
    ]) {
      for (const seats of [participants(1), participants(7), participants(25), withScreen(8)]) {
        const { places, gap } = layOutGallery(seats, other);
        expectAudio(places, gap, other);
      }
    }
    expect(layOutGallery([], size).places).toEqual([]);
  });

  test('puts what has another shape in the middle of its place, whole and unstretched', () => {
    const place = { left: 100, top: 50, width: 640, height: 360 };
    expect(fitInto(place, 16 / 9)).toEqual(place);
    expect(fitInto(place, 1)).toEqual({ left: 240, top: 50, width: 360, height: 360 });
    expect(fitInto(place, 9 / 16)).toEqual({ left: 318, top: 50, width: 202, height: 360 });
    expect(fitInto(place, 4)).toEqual({ left: 100, top: 150, width: 640, height: 160 });
    // A frame without a size fills the place.
    expect(fitInto(place, NaN)).toEqual(place);
  });
});
