import { describe, expect, test } from '@jest/globals';
import type { AudioOwner } from '../messages.ts';
import { mixBlock, mixRate } from './audio-mix.page.ts';
import { ParticipantAudioMixes } from './participant-audio-mixes.page.ts';

const ann: AudioOwner = { participantId: 'a', participantName: 'Ann' };
const bob: AudioOwner = { participantId: 'b', participantName: 'Bob' };
const at = (ms: number): number => (ms * mixRate) / 1_000;
const tone = (ms: number, level = 0.2): Float32Array => new Float32Array(at(ms)).fill(level);

interface Given {
  readonly who: string;
  readonly atMs: number;
  readonly level: number;
}

function follow() {
  const given: Given[] = [];
  const recordedParticipants = new ParticipantAudioMixes(
    ({ participant: { participantId }, position }, samples) =>
      given.push({
        who: participantId,
        atMs: (position * 1_000) / mixRate,
        level: Math.round((samples[mixBlock / 2] ?? 0) * 100) / 100,
      }),
    0,
  );
  /** Spans of one participant: `who from-to`. */
  const spans = (): string[] => {
    const found: { who: string; from: number; to: number }[] = [];
    for (const { who, atMs } of given) {
      const open = found.findLast((span) => span.who === who);
      if (open?.to === atMs) open.to += 20;
      else found.push({ who, from: atMs, to: atMs + 20 });
    }
    return found.map(({ who, from, to }) => `${who} ${from}-${to}`);
  };
  return { recordedParticipants, given, spans };
}

describe('the sound of each person', () => {
  test('goes with the track from one to the other, to the block', () => {
    const { recordedParticipants, spans } = follow();
    recordedParticipants.own('1', ann, 0);
    recordedParticipants.place('1', tone(400), 0);
    recordedParticipants.own('1', bob, at(200));
    recordedParticipants.knowUntil(at(400));
    recordedParticipants.advance(at(400));
    expect(spans()).toEqual(['a 0-200', 'b 200-400']);
  });

  test('is kept while they speak, with a margin before and after, and costs nothing in silence', () => {
    const { recordedParticipants, spans } = follow();
    recordedParticipants.own('1', ann, 0);
    recordedParticipants.knowUntil(Infinity);
    for (let ms = 0; ms < 3_000; ms += 20) {
      recordedParticipants.place('1', tone(20, ms >= 1_000 && ms < 1_200 ? 0.2 : 0.0005), at(ms));
      recordedParticipants.advance(at(ms));
    }
    expect(spans()).toEqual(['a 800-1700']);
  });

  test('waits until it is known whose it is', () => {
    const { recordedParticipants, spans } = follow();
    recordedParticipants.own('1', ann, 0);
    recordedParticipants.knowUntil(at(100));
    recordedParticipants.place('1', tone(400), 0);
    recordedParticipants.advance(at(400));
    expect(spans()).toEqual(['a 0-100']);
    recordedParticipants.own('1', bob, at(100));
    recordedParticipants.knowUntil(at(400));
    recordedParticipants.advance(at(400));
    expect(spans()).toEqual(['a 0-100', 'b 100-400']);
  });

  test('is given up, and counted, without an owner in time', () => {
    const { recordedParticipants, spans } = follow();
    recordedParticipants.own('1', ann, 0);
    recordedParticipants.knowUntil(at(100));
    for (let ms = 0; ms < 2_000; ms += 20) {
      recordedParticipants.place('1', tone(20), at(ms));
      recordedParticipants.advance(at(ms));
    }
    expect(spans()).toEqual(['a 0-100']);
    // One second is kept: the rest is not.
    expect(recordedParticipants.leftOutMs).toEqual({ shared: 0, unowned: 880 });
  });

  test('of several in one track has no owner, and is counted', () => {
    const { recordedParticipants, spans } = follow();
    recordedParticipants.own('1', ann, 0);
    recordedParticipants.own('1', 'several', at(100));
    recordedParticipants.own('1', bob, at(200));
    recordedParticipants.knowUntil(Infinity);
    recordedParticipants.place('1', tone(300), 0);
    recordedParticipants.advance(at(300));
    expect(spans()).toEqual(['a 0-100', 'b 200-300']);
    expect(recordedParticipants.leftOutMs).toEqual({ shared: 100, unowned: 0 });
  });

  test('comes from whichever tracks are theirs, also from two at once', () => {
    const { recordedParticipants, given } = follow();
    recordedParticipants.own('1', ann, 0);
    recordedParticipants.own('2', bob, 0);
    recordedParticipants.own('2', ann, at(40));
    recordedParticipants.knowUntil(Infinity);
    recordedParticipants.place('1', tone(60, 0.2), 0);
    recordedParticipants.place('2', tone(60, 0.1), 0);
    recordedParticipants.advance(at(60));
    expect(given.filter(({ who }) => who === 'a').map(({ level }) => level)).toEqual([0.2, 0.2, 0.3]);
    expect(given.filter(({ who }) => who === 'b').map(({ atMs }) => atMs)).toEqual([0, 20]);
  });

  test('stops in a pause, and continues where it stopped', () => {
    const { recordedParticipants, spans } = follow();
    recordedParticipants.own('1', ann, 0);
    recordedParticipants.knowUntil(Infinity);
    recordedParticipants.place('1', tone(200), 0);
    recordedParticipants.holdAt(at(100));
    recordedParticipants.advance(at(200));
    expect(spans()).toEqual(['a 0-100']);
    recordedParticipants.place('1', tone(100), at(100));
    recordedParticipants.resume();
    recordedParticipants.place('1', tone(100), at(100));
    recordedParticipants.advance(at(200));
    expect(spans()).toEqual(['a 0-200']);
  });

  test('is not kept before anybody says that tracks are people’s', () => {
    const { recordedParticipants, given } = follow();
    recordedParticipants.place('1', tone(200), 0);
    recordedParticipants.own('1', null, 0);
    recordedParticipants.knowUntil(Infinity);
    recordedParticipants.advance(at(200));
    expect([given, recordedParticipants.leftOutMs, recordedParticipants.reported]).toEqual([
      [],
      { shared: 0, unowned: 0 },
      0,
    ]);
  });
});
