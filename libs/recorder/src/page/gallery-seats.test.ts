import { describe, expect, test } from '@jest/globals';
import { peopleBesideScreenMost, peopleMost } from './gallery-layout.page.ts';
import type { GalleryCandidate, GalleryView } from './gallery-seats.page.ts';
import { GallerySeats } from './gallery-seats.page.ts';

const person = (id: string, more: Partial<GalleryCandidate> = {}): GalleryCandidate => ({
  id,
  kind: 'camera',
  personName: `Name of ${id}`,
  hasPicture: true,
  speaking: false,
  ...more,
});
const screen = (id: string): GalleryCandidate => person(id, { kind: 'screen' });
const crowd = (count: number, more: Partial<GalleryCandidate> = {}): GalleryCandidate[] =>
  Array.from({ length: count }, (_none, index) => person(`p${index}`, more));
const ids = ({ seats }: GalleryView): string[] => seats.map(({ id }) => id);

describe('the seats of the gallery', () => {
  test('keep the order of coming, whatever order the page gives', () => {
    const seats = new GallerySeats();
    expect(ids(seats.update([person('a'), person('b')], 0))).toEqual(['a', 'b']);
    expect(ids(seats.update([person('c'), person('b'), person('a')], 250))).toEqual(['a', 'b', 'c']);
  });

  test('outlast a moment in which the page does not name somebody, and are given up after it', () => {
    const seats = new GallerySeats();
    seats.update([person('a'), person('b')], 0);
    expect(ids(seats.update([person('b')], 1_000))).toEqual(['a', 'b']);
    expect(ids(seats.update([person('b')], 1_600))).toEqual(['b']);
    // Who comes back sits last.
    expect(ids(seats.update([person('a'), person('b')], 2_000))).toEqual(['b', 'a']);
  });

  test('mark who speaks, and hold that over the pauses between words', () => {
    const seats = new GallerySeats();
    const speaking = (said: boolean, atMs: number): boolean | undefined =>
      seats.update([person('a', { speaking: said })], atMs).seats[0]?.speaking;
    expect(speaking(false, 0)).toBe(false);
    expect(speaking(true, 250)).toBe(true);
    expect(speaking(false, 1_000)).toBe(true);
    expect(speaking(false, 1_250)).toBe(false);
  });

  test('put a shared screen first, keep the one that is shown, and never mark it as speaking', () => {
    const seats = new GallerySeats();
    seats.update([person('a')], 0);
    const shown = seats.update([person('a'), { ...screen('s1'), speaking: true }], 250);
    expect(shown.seats).toEqual([
      { id: 's1', kind: 'screen', name: 'Name of s1', speaking: false },
      { id: 'a', kind: 'camera', name: 'Name of a', speaking: false },
    ]);
    expect(ids(seats.update([person('a'), screen('s1'), screen('s2')], 500))).toEqual(['s1', 's2', 'a']);
    expect(ids(seats.update([person('a'), screen('s2')], 3_000))).toEqual(['s2', 'a']);
  });

  test('leave out the people without a camera first, and say how many', () => {
    const seats = new GallerySeats();
    const silent = [person('x', { hasPicture: false }), person('y', { hasPicture: false })];
    const view = seats.update([...silent, ...crowd(peopleMost)], 0);
    expect(view.seats).toHaveLength(peopleMost);
    expect(ids(view)).not.toContain('x');
    expect(ids(view)).not.toContain('y');
    expect(view.leftOut).toBe(2);
    // Whoever matters more has a place, and not a better one.
    const loud = crowd(peopleMost + 1).map((one, index) => ({ ...one, speaking: index === 7 }));
    expect(ids(new GallerySeats().update(loud, 0)).slice(0, 9)).toEqual(loud.slice(0, 9).map(({ id }) => id));
  });

  test('give a speaker the place of the one who matters least, and move nobody else', () => {
    const seats = new GallerySeats();
    const full = crowd(peopleMost);
    const before = ids(seats.update([...full, person('late', { hasPicture: false })], 0));
    expect(before).not.toContain('late');
    const after = ids(seats.update([...full, person('late', { hasPicture: false, speaking: true })], 250));
    const moved = before.flatMap((id, index) => (after[index] === id ? [] : [index]));
    expect(moved).toHaveLength(1);
    expect(after[moved[0]!]).toBe('late');
    // Quiet again, the place is kept: nobody else matters more.
    expect(ids(seats.update([...full, person('late', { hasPicture: false })], 20_000))).toEqual(after);
  });

  test('become few beside a screen, speakers first, and as they were when it is gone', () => {
    const seats = new GallerySeats();
    const people = crowd(12);
    const before = ids(seats.update(people, 0));
    const spoken = people.map((one) => (one.id === 'p11' ? { ...one, speaking: true } : one));
    const beside = seats.update([...spoken, screen('s')], 250);
    expect(ids(beside)).toHaveLength(1 + peopleBesideScreenMost);
    expect(ids(beside)).toContain('p11');
    expect(beside.leftOut).toBe(12 - peopleBesideScreenMost);
    expect(ids(seats.update(people, 5_000))).toEqual(before);
  });

  test('are none where nobody is', () => {
    expect(new GallerySeats().update([], 0)).toEqual({ seats: [], leftOut: 0 });
  });
});
