import { describe, expect, test } from '@jest/globals';
import { buildDiarization, mediaTimeOf } from './build-diarization.ts';

const clock = { startedAtMs: 100_000, pauses: [], durationMs: 60_000 };
const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));

describe('buildDiarization', () => {
  test('writes one line per span, in seconds of the recording, in order', () => {
    const text = buildDiarization(
      [
        { name: 'Ben', startMs: 105_500, endMs: 107_001 },
        { name: 'Ada', startMs: 101_000, endMs: 104_250 },
      ],
      clock,
    );
    expect(text).toBe(
      '{"speaker":"Ada","start_time":1,"end_time":4.25}\n{"speaker":"Ben","start_time":5.5,"end_time":7.001}\n',
    );
  });

  test('cuts what lies outside the recording and ends what still goes on', () => {
    const spans = [
      { name: 'Early', startMs: 90_000, endMs: 99_000 },
      { name: 'Ada', startMs: 99_000, endMs: 102_000 },
      { name: 'Ben', startMs: 159_000, endMs: null },
      { name: 'Late', startMs: 161_000, endMs: 162_000 },
    ];
    expect(lines(buildDiarization(spans, clock))).toEqual([
      { speaker: 'Ada', start_time: 0, end_time: 2 },
      { speaker: 'Ben', start_time: 59, end_time: 60 },
    ]);
  });

  test('a pause is cut out, and who spoke on both sides of it has one span', () => {
    const paused = { ...clock, pauses: [{ startMs: 110_000, endMs: 130_000 }] };
    const spans = [
      { name: 'Ada', startMs: 105_000, endMs: 115_000 },
      { name: 'Ben', startMs: 112_000, endMs: 128_000 },
      { name: 'Ada', startMs: 125_000, endMs: 135_000 },
    ];
    expect(lines(buildDiarization(spans, paused))).toEqual([{ speaker: 'Ada', start_time: 5, end_time: 15 }]);
  });

  test('people who speak at the same time each keep their span', () => {
    const spans = [
      { name: 'Ada', startMs: 101_000, endMs: 105_000 },
      { name: 'Ben', startMs: 102_000, endMs: 103_000 },
    ];
    expect(lines(buildDiarization(spans, clock))).toHaveLength(2);
  });

  test('speech of an unknown speaker is kept', () => {
    expect(lines(buildDiarization([{ name: null, startMs: 101_000, endMs: 102_000 }], clock))).toEqual([
      { speaker: 'Unknown', start_time: 1, end_time: 2 },
    ]);
  });

  test('two of one name whom the platform numbers are two', () => {
    const spans = [
      { name: 'Ada', userId: 16_778_240, startMs: 101_000, endMs: 105_000 },
      { name: 'Ada', userId: 16_779_264, startMs: 103_000, endMs: 106_000 },
      { name: 'Ada', userId: 16_778_240, startMs: 105_000, endMs: 107_000 },
    ];
    expect(lines(buildDiarization(spans, clock))).toEqual([
      { speaker: 'Ada', start_time: 1, end_time: 7, user_id: 16_778_240 },
      { speaker: 'Ada', start_time: 3, end_time: 6, user_id: 16_779_264 },
    ]);
  });

  test('two of one name are two, and one of several is said to be so', () => {
    const ada = (speakerId: number | null, startMs: number, candidates: number[] = []) => ({
      name: 'Ada',
      speakerId,
      candidates,
      startMs,
      endMs: startMs + 1_000,
    });
    const renamed = { ...ada(1, 103_000), name: 'Ada L.' };
    const text = buildDiarization([ada(1, 101_000), ada(2, 102_000), renamed, ada(null, 104_000, [1, 2])], clock);
    expect(lines(text)).toEqual([
      { speaker: 'Ada', start_time: 1, end_time: 2, speaker_id: 1 },
      { speaker: 'Ada', start_time: 2, end_time: 3, speaker_id: 2 },
      { speaker: 'Ada L.', start_time: 3, end_time: 4, speaker_id: 1 },
      { speaker: 'Ada', start_time: 4, end_time: 5, speaker_id: null, speaker_candidates: [1, 2] },
    ]);
  });

  test('own audio replaces a reported turn only from a second before to a second after it', () => {
    const spans = [{ name: 'Ada', participantId: 'a', startMs: 110_000, endMs: 150_000 }];
    const own = (...said: [startMs: number, endMs: number][]) => ({
      participantId: 'a',
      name: 'Ada',
      spans: said.map(([startMs, endMs]) => ({ startMs, endMs })),
    });
    const built = lines(buildDiarization(spans, clock, [own([10_000, 12_000]), own([30_000, 31_500])]));
    expect(built).toEqual([
      { speaker: 'Ada', start_time: 10, end_time: 12 },
      { speaker: 'Ada', start_time: 13, end_time: 29 },
      { speaker: 'Ada', start_time: 30, end_time: 31.5 },
      { speaker: 'Ada', start_time: 32.5, end_time: 50 },
    ]);
  });

  test('a participant’s own audio replaces the reported turns of that participant alone', () => {
    const spans = [
      { name: 'Ada', participantId: 'a', startMs: 101_100, endMs: 103_400 },
      { name: 'Bob', participantId: 'b', startMs: 102_000, endMs: 104_000 },
      // Her own audio is missing here: it was shared, or its fragment is lost.
      { name: 'Ada', participantId: 'a', startMs: 107_000, endMs: 108_000 },
    ];
    const own = [
      {
        participantId: 'a',
        name: 'Ada',
        spans: [
          { startMs: 900, endMs: 1_800 },
          { startMs: 2_400, endMs: 3_100 },
        ],
      },
      { participantId: 'c', name: 'Cy', spans: [{ startMs: 5_000, endMs: 5_500 }] },
    ];
    expect(lines(buildDiarization(spans, clock, own))).toEqual([
      { speaker: 'Ada', start_time: 0.9, end_time: 1.8 },
      { speaker: 'Bob', start_time: 2, end_time: 4 },
      { speaker: 'Ada', start_time: 2.4, end_time: 3.1 },
      { speaker: 'Cy', start_time: 5, end_time: 5.5 },
      { speaker: 'Ada', start_time: 7, end_time: 8 },
    ]);
  });

  test('a turn within another one of its participant does not end it', () => {
    const spans = [
      { name: 'Ada', startMs: 101_000, endMs: 105_000 },
      { name: 'Ada', startMs: 102_000, endMs: 103_000 },
    ];
    expect(lines(buildDiarization(spans, clock))).toEqual([{ speaker: 'Ada', start_time: 1, end_time: 5 }]);
  });

  test('own audio that ends where a reported turn begins, or begins where it ends, leaves the turn', () => {
    const spans = [{ name: 'Ada', participantId: 'a', startMs: 102_000, endMs: 103_000 }];
    const own = [
      {
        participantId: 'a',
        name: 'Ada',
        spans: [
          { startMs: 1_000, endMs: 2_000 },
          { startMs: 3_000, endMs: 3_500 },
        ],
      },
    ];
    expect(lines(buildDiarization(spans, clock, own))).toEqual([{ speaker: 'Ada', start_time: 1, end_time: 3.5 }]);
  });

  test('without speech the file is empty', () => {
    expect(buildDiarization([], clock)).toBe('');
  });
});

describe('mediaTimeOf', () => {
  test('stops in a pause that lasts to the end', () => {
    const paused = { ...clock, pauses: [{ startMs: 110_000, endMs: null }] };
    expect(mediaTimeOf(109_000, paused)).toBe(9_000);
    expect(mediaTimeOf(150_000, paused)).toBe(10_000);
    expect(mediaTimeOf(Infinity, paused)).toBe(10_000);
  });
});
