import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finalizeRecording } from '../index.ts';
import type { RecordingAttempt, RecordingSummary } from '../index.ts';
import { storeAttempt } from '../testing/stored-attempt.ts';

let folder = '';
let first: RecordingAttempt;
let second: RecordingAttempt;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'finalize-'));
  first = await storeAttempt(join(folder, 'first'), 0, 6);
  second = await storeAttempt(join(folder, 'second'), 9_000, 4);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const options = (attempts: readonly RecordingAttempt[], switches: object = {}) => ({
  attempts,
  workFolder: join(folder, 'artifacts'),
  ffmpegPath: 'ffmpeg',
  mode: 'speaker_view' as const,
  ...switches,
});
const without = (attempt: RecordingAttempt, ...sequences: number[]): RecordingAttempt => ({
  ...attempt,
  fragments: attempt.fragments.filter((fragment) => !sequences.includes(fragment.sequence)),
});
const hashOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

describe('finalizeRecording', () => {
  test('makes a right recording, leaves nothing but artifacts, and does the same again', async () => {
    const done = await finalizeRecording(options([first]));
    expect((await checkRecording(done.video ?? '', { frameShare: 0.99 })).problems).toEqual([]);
    expect(done.durationMs).toBe(6_000);
    expect((await readdir(join(folder, 'artifacts'))).sort()).toEqual([
      'audio.flac',
      'audio.m4a',
      'poster.jpg',
      'video.mp4',
    ]);
    const filesOf = (one: typeof done) => [one.video ?? '', one.audio, one.audioM4a, one.poster ?? ''];
    const hashes = await Promise.all(filesOf(done).map(hashOf));
    const again = await finalizeRecording(options([first]));
    expect(await Promise.all(filesOf(again).map(hashOf))).toEqual(hashes);
    const resourceUsage = expect.anything() as object;
    expect(again.integrity).toEqual({ ...done.integrity, resourceUsage });
  });

  test('puts the fragments of a rejoin into the same recording, at their time, and states the gap between', async () => {
    const done = await finalizeRecording(options([second, first]));
    // It begins on a frame of the audio: 3 ms after its time.
    expect(done.durationMs).toBe(13_003);
    expect(done.integrity.gaps).toEqual([{ startMs: 6_000, endMs: 9_003, reason: 'between_attempts' }]);
    const { report } = await checkRecording(done.video ?? '');
    expect(report.decodeErrors).toEqual([]);
    expect(report.video).toMatchObject({ stepsBack: [], timeJumps: [], markedFrames: 250 });
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(15);
    expect(report.beeps?.found).toBe(10);
    expect(Math.abs(report.audioMs - 13_000)).toBeLessThan(50);
  });

  test('joins attempts whose pictures were encoded by another encoder; each can be decoded', async () => {
    const other = await storeAttempt(join(folder, 'other'), 8_000, 4, 'superfast');
    expect((await readFile(other.init)).equals(await readFile(first.init))).toBe(false);
    const third = await storeAttempt(join(folder, 'third'), 14_000, 2);
    const done = await finalizeRecording(options([first, other, third]));
    expect(done.integrity.gaps.map(({ reason }) => reason)).toEqual(['between_attempts', 'between_attempts']);
    const { report } = await checkRecording(done.video ?? '');
    expect(report).toMatchObject({
      decodeErrors: [],
      video: { stepsBack: [], timeJumps: [], markedFrames: 300 },
    });
  });

  test('takes pauses out of the time between two attempts', async () => {
    const paused = {
      ...first,
      pauses: [
        { startMs: 2_000, endMs: 3_000 },
        { startMs: 7_500, endMs: null },
      ],
    };
    const done = await finalizeRecording(options([paused, second]));
    expect(done.integrity.gaps).toEqual([{ startMs: 6_000, endMs: 6_507, reason: 'between_attempts' }]);
    expect(done.durationMs).toBe(10_507);
    expect(done.integrity.pauses).toEqual([
      { atMs: 2_000, lastedMs: 1_000 },
      { atMs: 6_500, lastedMs: 1_500 },
    ]);
  });

  test('a lost beginning stays in the length as silence, and the rest keeps its time', async () => {
    const done = await finalizeRecording(options([without(first, 1)]));
    const [gap] = done.integrity.gaps;
    expect(gap).toMatchObject({ startMs: 0, reason: 'missing_fragments' });
    const { report } = await checkRecording(done.video ?? '');
    expect(report.file.startMs).toBe(0);
    expect(report.video).toMatchObject({ timeJumps: [], stepsBack: [] });
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(15);
    expect(report.silences[0]).toMatchObject({ startMs: 0 });
  });

  test('a fragment that was cut while it was written is left out and named', async () => {
    const last = first.fragments.at(-1);
    if (!last) throw new Error('no fragments');
    const path = join(folder, 'cut.m4s');
    const bytes = await readFile(last.path);
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    const cut = { ...first, fragments: [...first.fragments.slice(0, -1), { ...last, path }] };
    const done = await finalizeRecording(options([cut]));
    expect(done.integrity.missingSequences).toEqual([{ attempt: 0, sequences: [last.sequence] }]);
    expect(done.integrity.gaps).toEqual([{ startMs: last.startMs, endMs: last.endMs, reason: 'damaged_fragments' }]);
    expect((await checkRecording(done.video ?? '')).report.decodeErrors).toEqual([]);
  });

  test('says that the end is missing when the runner had recorded more than is stored', async () => {
    const summary: RecordingSummary = {
      strategy: 'tracks',
      thread: 'worker',
      switches: [{ atMs: 40, media: 'video', from: null, to: 'tracks', reason: 'chosen' }],
      startedAtMs: first.startedAtMs,
      durationMs: 6_000,
      fragments: first.fragments.length,
      bytes: 1,
      framesReceived: 150,
      framesEncoded: 150,
      framesRepeated: 3,
      framesSkippedByRateLimit: 0,
      framesDropped: 2,
      audioDiscontinuities: 1,
      lateAudioMs: 7,
      audioOwnersReported: 0,
      audioSharedMs: 0,
      audioUnownedMs: 0,
      pauses: [],
      gaps: [],
      videoMissing: [{ startMs: 1_000.4, endMs: 2_500, reason: 'no_frames' }],
      degradations: [{ startMs: 500, endMs: 2_000.6, reason: 'frame_rate' }],
      audioImpaired: [{ startMs: 700.2, endMs: 900, reason: 'concealed' }],
      endedCleanly: true,
    };
    const last = first.fragments.at(-1);
    const done = await finalizeRecording(options([without(first, last?.sequence ?? 0)], { summaries: [summary] }));
    expect(done.integrity.gaps).toEqual([{ startMs: last?.startMs, endMs: 6_000, reason: 'missing_fragments' }]);
    expect(done.integrity).toMatchObject({
      captureStrategies: [{ strategy: 'tracks', thread: 'worker', switches: summary.switches }],
      framesReceived: 150,
      videoMissing: [{ startMs: 1_000, endMs: 2_500, reason: 'no_frames' }],
      degradations: [{ startMs: 500, endMs: 2_001, reason: 'frame_rate' }],
      audioImpaired: [{ startMs: 700, endMs: 900, reason: 'concealed' }],
      framesRepeated: 3,
      framesDropped: 2,
      audioDiscontinuities: 1,
      lateAudioMs: 7,
      endedCleanly: true,
    });
  });

  test('says in plain words when nothing can be made of it', async () => {
    await expect(finalizeRecording(options([without(first, 1, 2, 3, 4, 5)]))).rejects.toThrow(
      'There is nothing to finish: no fragment of this recording can be read.',
    );
    await expect(finalizeRecording(options([first], { ffmpegPath: '/nowhere/ffmpeg' }))).rejects.toThrow(
      /ffmpeg could not be started/,
    );
    const workFolder = join(folder, 'failed');
    await expect(finalizeRecording(options([first], { deadlineMs: 1, workFolder }))).rejects.toThrow(
      /was not finished after 1 ms/,
    );
    // The poster takes longer, and is waited for: the folder can be removed or reused at once.
    expect(await readdir(workFolder)).toEqual(['poster.jpg']);
  });
});
