import { describe, expect, test } from '@jest/globals';
import { participantsBesideScreenMax, participantsMax } from './gallery-layout.page.ts';
import type { GalleryCandidate, GalleryView } from './gallery-seats.page.ts';
import { GallerySeats } from './gallery-seats.page.ts';

const participant = (id: string, more: Partial<GalleryCandidate> = {}): GalleryCandidate => ({
  id,
  kind: 'camera',
  participantName: `Name of ${id}`,
  hasVideo: true,
  speaking: false,
  ...more,
});
const screen = (id: string): GalleryCandidate => participant(id, { kind: 'screen' });
const crowd = (count: number, more: Partial<GalleryCandidate> = {}): GalleryCandidate[] =>
  Array.from({ length: count }, (_none, index) => participant(`p${index}`, more));
const ids = ({ seats }: GalleryView): string[] => seats.map(({ id }) => id);

describe('the seats of the gallery', () => {
  test('keep the order of coming, whatever order the page gives', () => {
    const seats = new GallerySeats();
    expect(ids(seats.update([participant('a'), participant('b')], 0))).toEqual(['a', 'b']);
    expect(ids(seats.update([participant('c'), participant('b'), participant('a')], 250))).toEqual(['a', 'b', 'c']);
  });

  test('outlast a short absence of a participant from the page, and are given up after it', () => {
    const seats = new GallerySeats();
    seats.update([participant('a'), participant('b')], 0);
    expect(ids(seats.update([participant('b')], 1_000))).toEqual(['a', 'b']);
    expect(ids(seats.update([participant('b')], 1_600))).toEqual(['b']);
    // A participant who rejoins is last.
    expect(ids(seats.update([participant('a'), participant('b')], 2_000))).toEqual(['b', 'a']);
  });

  test('mark who speaks, and hold that over the pauses between words', () => {
    const seats = new GallerySeats();
    const speaking = (said: boolean, atMs: number): boolean | undefined =>
      seats.update([participant('a', { speaking: said })], atMs).seats[0]?.speaking;
    expect(speaking(false, 0)).toBe(false);
    expect(speaking(true, 250)).toBe(true);
    expect(speaking(false, 1_000)).toBe(true);
    expect(speaking(false, 1_250)).toBe(false);
  });

  test('put a shared screen first, keep the one that is shown, and never mark it as speaking', () => {
    const seats = new GallerySeats();
    seats.update([participant('a')], 0);
    const shown = seats.update([participant('a'), { ...screen('s1'), speaking: true }], 250);
    expect(shown.seats).toEqual([
      { id: 's1', kind: 'screen', name: 'Name of s1', speaking: false },
      { id: 'a', kind: 'camera', name: 'Name of a', speaking: false },
    ]);
    expect(ids(seats.update([participant('a'), screen('s1'), screen('s2')], 500))).toEqual(['s1', 's2', 'a']);
    expect(ids(seats.update([participant('a'), screen('s2')], 3_000))).toEqual(['s2', 'a']);
  });

  test('show the newest screen large when the one that was is gone', () => {
    const seats = new GallerySeats();
    for (const [index, shown] of [['s1'], ['s1', 's2'], ['s1', 's2', 's3']].entries())
      expect(ids(seats.update(shown.map(screen), index * 250))[0]).toBe('s1');
    expect(ids(seats.update([screen('s2'), screen('s3')], 3_000))).toEqual(['s3', 's2']);
  });

  test('leave out the people without a camera first, and say how many', () => {
    const seats = new GallerySeats();
    const silent = [participant('x', { hasVideo: false }), participant('y', { hasVideo: false })];
    const view = seats.update([...silent, ...crowd(participantsMax)], 0);
    expect(view.seats).toHaveLength(participantsMax);
    expect(ids(view)).not.toContain('x');
    expect(ids(view)).not.toContain('y');
    expect(view.leftOut).toBe(2);
    // A participant of higher priority gets a seat, and no better place.
    const loud = crowd(participantsMax + 1).map((one, index) => ({ ...one, speaking: index === 7 }));
    expect(ids(new GallerySeats().update(loud, 0)).slice(0, 9)).toEqual(loud.slice(0, 9).map(({ id }) => id));
  });

  test('give a speaker the place of the least important one, and move no other', () => {
    const seats = new GallerySeats();
    const full = crowd(participantsMax);
    const before = ids(seats.update([...full, participant('late', { hasVideo: false })], 0));
    expect(before).not.toContain('late');
    const after = ids(seats.update([...full, participant('late', { hasVideo: false, speaking: true })], 250));
    const moved = before.flatMap((id, index) => (after[index] === id ? [] : [index]));
    expect(moved).toHaveLength(1);
    expect(after[moved[0]!]).toBe('late');
    // After speaking the seat is kept: no other has a higher priority.
    expect(ids(seats.update([...full, participant('late', { hasVideo: false })], 20_000))).toEqual(after);
  });

  test('become few beside a screen, speakers first, and as they were when it is gone', () => {
    const seats = new GallerySeats();
    const participants = crowd(12);
    const before = ids(seats.update(participants, 0));
    const spoken = participants.map((one) => (one.id === 'p11' ? { ...one, speaking: true } : one));
    const beside = seats.update([...spoken, screen('s')], 250);
    expect(ids(beside)).toHaveLength(1 + participantsBesideScreenMax);
    expect(ids(beside)).toContain('p11');
    expect(beside.leftOut).toBe(12 - participantsBesideScreenMax);
    expect(ids(seats.update(participants, 5_000))).toEqual(before);
  });

  test('are none without participants', () => {
    expect(new GallerySeats().update([], 0)).toEqual({ seats: [], leftOut: 0 });
  });
});
