import { describe, expect, test } from '@jest/globals';
import type { SoundPerson } from './messages.ts';
import { mixBlock, mixRate } from './sound-mix.page.ts';
import { SoundPersons } from './sound-persons.page.ts';

const ann: SoundPerson = { personId: 'a', personName: 'Ann' };
const bob: SoundPerson = { personId: 'b', personName: 'Bob' };
const at = (ms: number): number => (ms * mixRate) / 1_000;
const tone = (ms: number, level = 0.2): Float32Array => new Float32Array(at(ms)).fill(level);

interface Given {
  readonly who: string;
  readonly atMs: number;
  readonly level: number;
}

function follow() {
  const given: Given[] = [];
  const persons = new SoundPersons(
    {
      deliver: ({ person: { personId }, samples, position }) =>
        given.push({
          who: personId,
          atMs: (position * 1_000) / mixRate,
          level: Math.round((samples[mixBlock / 2] ?? 0) * 100) / 100,
        }),
    },
    0,
  );
  /** Stretches of one person: `who from-to`. */
  const spans = (): string[] => {
    const found: { who: string; from: number; to: number }[] = [];
    for (const { who, atMs } of given) {
      const open = found.findLast((span) => span.who === who);
      if (open?.to === atMs) open.to += 20;
      else found.push({ who, from: atMs, to: atMs + 20 });
    }
    return found.map(({ who, from, to }) => `${who} ${from}-${to}`);
  };
  return { persons, given, spans };
}

describe('the sound of each person', () => {
  test('goes with the track from one to the other, to the block', () => {
    const { persons, spans } = follow();
    persons.own('1', ann, 0);
    persons.place('1', tone(400), 0);
    persons.own('1', bob, at(200));
    persons.knowUntil(at(400));
    persons.advance(at(400));
    expect(spans()).toEqual(['a 0-200', 'b 200-400']);
  });

  test('is kept while they are heard, with a beginning and an end around it, and costs nothing in silence', () => {
    const { persons, spans } = follow();
    persons.own('1', ann, 0);
    persons.knowUntil(Infinity);
    for (let ms = 0; ms < 3_000; ms += 20) {
      persons.place('1', tone(20, ms >= 1_000 && ms < 1_200 ? 0.2 : 0.0005), at(ms));
      persons.advance(at(ms));
    }
    expect(spans()).toEqual(['a 800-1700']);
  });

  test('waits until it is known whose it is', () => {
    const { persons, spans } = follow();
    persons.own('1', ann, 0);
    persons.knowUntil(at(100));
    persons.place('1', tone(400), 0);
    persons.advance(at(400));
    expect(spans()).toEqual(['a 0-100']);
    persons.own('1', bob, at(100));
    persons.knowUntil(at(400));
    persons.advance(at(400));
    expect(spans()).toEqual(['a 0-100', 'b 100-400']);
  });

  test('is given up, and counted, where nobody says in time whose it is', () => {
    const { persons, spans } = follow();
    persons.own('1', ann, 0);
    persons.knowUntil(at(100));
    for (let ms = 0; ms < 2_000; ms += 20) {
      persons.place('1', tone(20), at(ms));
      persons.advance(at(ms));
    }
    expect(spans()).toEqual(['a 0-100']);
    // A second is kept: the rest is not.
    expect(persons.leftOutMs).toEqual({ shared: 0, unowned: 880 });
  });

  test('of several in one track is nobody’s, and is counted', () => {
    const { persons, spans } = follow();
    persons.own('1', ann, 0);
    persons.own('1', 'several', at(100));
    persons.own('1', bob, at(200));
    persons.knowUntil(Infinity);
    persons.place('1', tone(300), 0);
    persons.advance(at(300));
    expect(spans()).toEqual(['a 0-100', 'b 200-300']);
    expect(persons.leftOutMs).toEqual({ shared: 100, unowned: 0 });
  });

  test('comes from whichever tracks are theirs, also from two at once', () => {
    const { persons, given } = follow();
    persons.own('1', ann, 0);
    persons.own('2', bob, 0);
    persons.own('2', ann, at(40));
    persons.knowUntil(Infinity);
    persons.place('1', tone(60, 0.2), 0);
    persons.place('2', tone(60, 0.1), 0);
    persons.advance(at(60));
    expect(given.filter(({ who }) => who === 'a').map(({ level }) => level)).toEqual([0.2, 0.2, 0.3]);
    expect(given.filter(({ who }) => who === 'b').map(({ atMs }) => atMs)).toEqual([0, 20]);
  });

  test('stands still in a pause, and goes on where it stood', () => {
    const { persons, spans } = follow();
    persons.own('1', ann, 0);
    persons.knowUntil(Infinity);
    persons.place('1', tone(200), 0);
    persons.holdAt(at(100));
    persons.advance(at(200));
    expect(spans()).toEqual(['a 0-100']);
    persons.place('1', tone(100), at(100));
    persons.goOn();
    persons.place('1', tone(100), at(100));
    persons.advance(at(200));
    expect(spans()).toEqual(['a 0-200']);
  });

  test('is not kept before anybody says that tracks are people’s', () => {
    const { persons, given } = follow();
    persons.place('1', tone(200), 0);
    persons.own('1', null, 0);
    persons.knowUntil(Infinity);
    persons.advance(at(200));
    expect([given, persons.leftOutMs, persons.told]).toEqual([[], { shared: 0, unowned: 0 }, 0]);
  });
});
