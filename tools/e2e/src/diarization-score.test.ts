import { describe, expect, test } from '@jest/globals';
import { scoreDiarization } from './diarization-score.ts';
import type { Room } from './simulator-client.ts';

const room: Room = {
  code: 'abc-defg-hij',
  url: '',
  clockZero: 1_000_000,
  loopSeconds: 10,
  framesPerSecond: 25,
  participants: [],
  schedule: [
    { participantIndex: 0, name: 'Ada', startMs: 0, endMs: 4_000, words: [] },
    { participantIndex: 1, name: 'Bo', startMs: 5_000, endMs: 9_000, words: [] },
  ],
};
const recording = { startMs: 1_000_000, durationMs: 20_000 };

describe('the diarization score', () => {
  test('is one when every spoken moment has its speaker, in every loop', () => {
    const lines = [0, 10].flatMap((offset) => [
      { speaker: 'Ada', start_time: offset, end_time: offset + 4 },
      { speaker: 'Bo', start_time: offset + 5, end_time: offset + 9 },
    ]);
    expect(scoreDiarization(lines, room, recording)).toBe(1);
  });

  test('falls by what is missing, misnamed or named twice', () => {
    expect(scoreDiarization([{ speaker: 'Ada', start_time: 0, end_time: 4 }], room, recording)).toBeCloseTo(0.25, 2);
    expect(scoreDiarization([{ speaker: 'Bo', start_time: 0, end_time: 20 }], room, recording)).toBeCloseTo(0.5, 2);
    expect(
      scoreDiarization(
        [
          { speaker: 'Bo', start_time: 0, end_time: 20 },
          { speaker: 'Ada', start_time: 0, end_time: 20 },
        ],
        room,
        recording,
      ),
    ).toBe(0);
  });

  test('follows the recording when it starts in the middle of the loop', () => {
    const lines = [{ speaker: 'Bo', start_time: 0, end_time: 4 }];
    expect(scoreDiarization(lines, room, { startMs: 1_005_000, durationMs: 4_000 })).toBe(1);
  });
});
