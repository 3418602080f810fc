import { describe, expect, test } from '@jest/globals';
import { chunkKinds } from './chunk-kinds.page.ts';
import { readBatch } from './read-batch.ts';

const stats = {
  framesReceived: 1,
  framesEncoded: 1,
  framesRepeated: 0,
  framesSkippedByRateLimit: 0,
  framesUnrecorded: 0,
  framesDropped: 0,
  videoSwitches: 1,
  encoderRestarts: 0,
  audioTracks: 1,
  lastAudioDataAtMs: null,
  audioDiscontinuities: 0,
  lateAudioMs: 0,
  audioPeak: 0.5,
  audioRms: 0.1,
  audioOwnersReported: 0,
  audioSharedMs: 0,
  audioUnownedMs: 0,
  degraded: null,
  lastError: null,
};
const batch = {
  run: 1,
  sequence: 0,
  chunks: [
    [0, 40_000, 0, 1, 3],
    [1, 20_000, 20_000, 1, 2],
  ],
  data: Buffer.from([1, 2, 3, 4, 5]).toString('base64'),
  stats,
};
const read = (changes: object): unknown => readBatch(JSON.stringify({ ...batch, ...changes }));

describe('readBatch', () => {
  test('takes the chunks apart', () => {
    const { chunks, endMs } = readBatch(JSON.stringify(batch));
    expect(chunks).toEqual([
      { kind: 'video', timeUs: 40_000, durationUs: 0, key: true, bytes: Buffer.from([1, 2, 3]), avcC: null },
      { kind: 'audio', timeUs: 20_000, durationUs: 20_000, key: true, bytes: Buffer.from([4, 5]), avcC: null },
    ]);
    expect(endMs).toBeNull();
    expect(readBatch(JSON.stringify({ ...batch, pausedMs: 40.5 })).pausedMs).toBe(40.5);
    expect(
      [{}, { late: true }, { late: 'very' }].map((late) => readBatch(JSON.stringify({ ...batch, ...late })).isLate),
    ).toEqual([false, true, false]);
  });

  test('marks each frame from which another description applies', () => {
    const chunks = [
      [1, 0, 20_000, 1, 1],
      [0, 0, 0, 1, 1],
      [0, 40_000, 0, 0, 1],
      [0, 80_000, 0, 1, 2],
    ];
    const described = [
      [0, Buffer.from([1]).toString('base64')],
      [3, Buffer.from([2]).toString('base64')],
    ];
    const read = readBatch(JSON.stringify({ ...batch, chunks, videoDescriptions: described }));
    expect(read.chunks.map(({ avcC }) => avcC)).toEqual([null, Buffer.from([1]), null, Buffer.from([2])]);
  });

  test('gives what single people say apart from the mix, with whose it is', () => {
    const chunks = [
      [chunkKinds.spoken, 0, 20_000, 1, 1],
      [chunkKinds.mix, 0, 20_000, 1, 2],
      [chunkKinds.unspoken, 20_000, 20_000, 0, 2],
    ];
    const participants = [
      { participantId: 'a', participantName: 'Ada' },
      { participantId: 'b', participantName: null },
    ];
    const read = readBatch(JSON.stringify({ ...batch, chunks, participants }));
    expect(read.chunks.map(({ kind, bytes }) => [kind, bytes])).toEqual([['audio', Buffer.from([2, 3])]]);
    const [ada, ben] = participants;
    expect(read.participantPackets).toEqual([
      { ...ben, timeUs: 0, isSpoken: true, bytes: Buffer.from([1]) },
      { ...ada, timeUs: 20_000, isSpoken: false, bytes: Buffer.from([4, 5]) },
    ]);
    expect(() => readBatch(JSON.stringify({ ...batch, chunks, participants: [ada] }))).toThrow(/whose audio it is/);
  });

  test('gives what was tapped of the mix', () => {
    const blocks = [[1_000.5, Buffer.from([7, 8]).toString('base64')]];
    expect(readBatch(JSON.stringify({ ...batch, tapped: { blocks, dropped: 3 } })).tapped).toEqual({
      blocks: [{ startMs: 1_000.5, pcm: Buffer.from([7, 8]) }],
      dropped: 3,
    });
    expect(readBatch(JSON.stringify(batch)).tapped).toBeNull();
    expect(() => read({ tapped: { blocks: [[1, 2]], dropped: 0 } })).toThrow(/a block of audio/);
    expect(() => read({ tapped: [] })).toThrow(/its audio/);
  });

  test('gives the ways that were taken, and where another engine goes on', () => {
    const strategySwitch = { media: 'video', from: 'tracks', to: 'tab', reason: 'black', atMs: 1_200.5 };
    const continued = { atMs: 900, thread: 'page' };
    expect(readBatch(JSON.stringify({ ...batch, switches: [strategySwitch], continued }))).toMatchObject({
      switches: [strategySwitch],
      continued,
    });
    expect(readBatch(JSON.stringify(batch))).toMatchObject({ switches: [], continued: null });
    for (const wrong of [{ to: 'screen' }, { reason: 'mood' }, { media: 'smell' }, { atMs: -1 }, { to: 'played' }])
      expect(() => read({ switches: [{ ...strategySwitch, ...wrong }] })).toThrow(/cannot be read/);
    expect(() => read({ continued: { atMs: 900, thread: 'moon' } })).toThrow(/a way/);
  });

  test.each([
    ['videoMissing', 'no_frames', /its missing video/],
    ['degradations', 'frame_rate', /its degradations/],
    ['audioImpaired', 'concealed', /its impaired audio/],
  ] as const)('gives the spans of %s', (name, reason, what) => {
    const span = { startMs: 1_000.5, endMs: 9_000, reason };
    expect(readBatch(JSON.stringify({ ...batch, [name]: [span] }))[name]).toEqual([span]);
    expect(readBatch(JSON.stringify(batch))[name]).toEqual([]);
    for (const wrong of [{ reason: 'chosen' }, { startMs: -1 }, { endMs: '9' }])
      expect(() => read({ [name]: [{ ...span, ...wrong }] })).toThrow(/cannot be read/);
    expect(() => read({ [name]: span })).toThrow(what);
  });

  test('refuses what our page script would never write', () => {
    expect(() => readBatch(7)).toThrow(/cannot be read/);
    expect(() => read({ chunks: 'many' })).toThrow(/its shape/);
    expect(() => read({ chunks: [[0, 1, 2]] })).toThrow(/a chunk header/);
    expect(() => read({ chunks: [[0, -1, 0, 1, 5]] })).toThrow(/a number/);
    expect(() => read({ chunks: [[0, 1, 0, 1, 6]] })).toThrow(/the length of its data/);
    expect(() => read({ stats: { ...stats, framesReceived: 'NaN' } })).toThrow(/a number/);
    expect(() => read({ stats: { ...stats, degraded: 'audio' } })).toThrow(/cannot be read/);
    expect(() => read({ stats: null })).toThrow(/its figures/);
    expect(() => read({ videoDescriptions: 'one' })).toThrow(/its descriptions/);
    expect(() => read({ videoDescriptions: [[0]] })).toThrow(/a description/);
  });
});
