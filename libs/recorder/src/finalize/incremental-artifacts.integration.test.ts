import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { finalizeRecording, startIncrementalArtifacts, writeSpans } from '../index.ts';
import type { ByteSpan, IncrementalRecording, RecordingAttempt } from '../index.ts';
import { storeAttempt } from '../testing/stored-attempt.ts';

const seconds = 50;
let folder = '';
let attempt: RecordingAttempt;
let runs = 0;
const newFolder = async (): Promise<string> => {
  const made = join(folder, `run-${(runs += 1)}`);
  await mkdir(made);
  return made;
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'growing-'));
  attempt = await storeAttempt(join(folder, 'attempt'), 0, seconds);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Counts the runs of ffmpeg, and fails the given number of them, or those with this text in their arguments. */
const countingFfmpeg = async (place: string, failures = 0, failing = 'none'): Promise<string> => {
  const path = join(place, 'counting-ffmpeg');
  const count = `echo run >> ${place}/runs; [ $(wc -l < ${place}/runs) -le ${failures} ] && exit 9`;
  await writeFile(path, `#!/bin/sh\n${count}\ncase "$*" in *${failing}*) exit 9;; esac\nexec ffmpeg "$@"\n`);
  await chmod(path, 0o755);
  return path;
};
const runsIn = async (place: string): Promise<number> =>
  (await readFile(join(place, 'runs'), 'utf8')).trim().split('\n').length;

const fragmentIn = (place: string) => (index: number) => join(place, `${index}.audio`);
const finalize = (place: string, changes: object = {}) =>
  finalizeRecording({ attempts: [attempt], workFolder: place, ffmpegPath: 'ffmpeg', mode: 'speaker_view', ...changes });

async function grow(place: string, changes: { ffmpegPath?: string; without?: number[] } = {}) {
  const parts: { name: string; spans: readonly ByteSpan[] }[] = [];
  const incremental = startIncrementalArtifacts({
    init: attempt.init,
    mode: 'speaker_view',
    workFolder: place,
    ffmpegPath: changes.ffmpegPath ?? 'ffmpeg',
    audioFragmentPath: fragmentIn(place),
    logger: quiet,
    onPart: (name, _number, spans) => parts.push({ name, spans }),
  });
  for (const fragment of attempt.fragments)
    if (!changes.without?.includes(fragment.sequence)) incremental.add(fragment);
  return { incremental };
}
const written = async (place: string, finished: IncrementalRecording) => {
  const files = finished.artifacts.map(({ name, head, tail }) => ({
    path: join(place, `grown-${name}`),
    spans: [...head, ...tail],
  }));
  for (const { path, spans } of files) await writeSpans(path, spans);
  const [video = '', audio = '', m4a = ''] = files.map(({ path }) => path);
  return { video, audio, m4a };
};
/** The audio packets of a file: when each is, and its bytes. */
const audioIn = async (path: string): Promise<string> => {
  const child = spawn('ffmpeg', [
    ...'-nostdin -loglevel error -i'.split(' '),
    path,
    ...'-map 0:a:0 -c copy -f framemd5 pipe:1'.split(' '),
  ]);
  const [text] = await Promise.all([child.stdout.setEncoding('utf8').toArray(), once(child, 'close')]);
  return text.join('');
};
const samplesIn = async (path: string): Promise<Int16Array> => {
  const child = spawn('ffmpeg', [
    '-nostdin',
    '-loglevel',
    'error',
    '-i',
    path,
    ...'-map 0:a:0 -f s16le pipe:1'.split(' '),
  ]);
  const [parts] = await Promise.all([child.stdout.toArray() as Promise<Buffer[]>, once(child, 'close')]);
  return new Int16Array(new Uint8Array(Buffer.concat(parts)).buffer);
};
const largestDifference = (one: Int16Array, other: Int16Array): number =>
  one.reduce((largest, sample, index) => Math.max(largest, Math.abs(sample - (other[index] ?? 0))), 0);
/** The artifacts of the whole meeting, and a folder for others. */
const grown = async () => {
  const place = await newFolder();
  const { incremental } = await grow(place);
  const files = await written(place, await incremental.finish({ attempts: [attempt] }));
  await incremental.close();
  return { files, elsewhere: await newFolder() };
};
const same = async (one: string, other: string) =>
  expect((await readFile(one)).equals(await readFile(other))).toBe(true);

describe('artifacts that grow with the meeting', () => {
  test('are right, and have the bytes of those made after it; a second run need not encode what the first one did', async () => {
    const place = await newFolder();
    const { incremental } = await grow(place);
    const finished = await incremental.finish({ attempts: [attempt] });
    const files = await written(place, finished);
    await incremental.close();
    expect(finished.integrity.resourceUsage).toMatchObject({
      filesMade: 'in_call',
      artifactBytes: finished.artifacts.reduce((sum, { bytes }) => sum + bytes, 0),
    });
    expect((await checkRecording(files.video, { frameShare: 0.99, offsetMostMs: 15 })).problems).toEqual([]);
    const audioData = await checkRecording(files.audio, { video: false });
    expect([audioData.problems, audioData.report.audioMs]).toEqual([[], seconds * 1_000]);
    // For players: the movie's audio, frame by frame, and nothing else.
    const small = await checkRecording(files.m4a, { video: false });
    expect(small.problems).toEqual([]);
    expect(Math.abs(small.report.audioMs - seconds * 1_000)).toBeLessThan(22);
    expect(await audioIn(files.m4a)).toEqual(await audioIn(files.video));

    const elsewhere = await newFolder();
    const done = await finalize(elsewhere, {
      attempts: [{ ...attempt, audioFragmentPath: fragmentIn(place) }],
      ffmpegPath: await countingFfmpeg(elsewhere),
    });
    // What is left of the audio, and the poster.
    expect(await runsIn(elsewhere)).toBe(2);
    await same(done.video ?? '', files.video);
    await same(done.audio, files.audio);
    await same(done.audioM4a, files.m4a);
    await same(done.poster ?? '', finished.poster ?? '');
  });

  test('are made after it without encoded audio, by one run of ffmpeg for all whole fragments, to the same audio', async () => {
    const { files, elsewhere } = await grown();
    const done = await finalize(elsewhere, { ffmpegPath: await countingFfmpeg(elsewhere) });
    // The whole fragments, the rest, and the poster.
    expect(await runsIn(elsewhere)).toBe(3);
    expect((await checkRecording(done.video ?? '', { frameShare: 0.99, offsetMostMs: 15 })).problems).toEqual([]);
    expect(await audioIn(done.audioM4a)).toEqual(await audioIn(done.video ?? ''));
    const [one, other] = await Promise.all([samplesIn(done.audio), samplesIn(files.audio)]);
    expect([one.length, other.length]).toEqual([seconds * 48_000, seconds * 48_000]);
    expect(largestDifference(one, other)).toBeLessThanOrEqual(2);
    const [aac, aacBefore] = await Promise.all([samplesIn(done.audioM4a), samplesIn(files.m4a)]);
    expect(aac.length).toBe(aacBefore.length);
    expect(largestDifference(aac, one)).toBeLessThanOrEqual(2 * largestDifference(aacBefore, other));
  });

  test('are made after it to the same bytes where that run fails: each fragment is encoded alone', async () => {
    const { files, elsewhere } = await grown();
    // The length of two fragments with the audio around them.
    const failing = `whole_len=${(2 * 960 + 30) * 1_024}`;
    const done = await finalize(elsewhere, { ffmpegPath: await countingFfmpeg(elsewhere, 0, failing) });
    expect(await runsIn(elsewhere)).toBe(5);
    await same(done.video ?? '', files.video);
    await same(done.audio, files.audio);
    await same(done.audioM4a, files.m4a);
  });

  test('fail when the encoder dies again and again; what is made of the fragments then is whole', async () => {
    const place = await newFolder();
    const { incremental } = await grow(place, { ffmpegPath: await countingFfmpeg(place, 2) });
    await expect(incremental.finish({ attempts: [attempt] })).rejects.toThrow('ffmpeg ended with exit code 9');
    expect(incremental.failure).not.toBeNull();
    await incremental.close();
    await incremental.close();
    const once_ = await newFolder();
    const { incremental: tough } = await grow(once_, { ffmpegPath: await countingFfmpeg(once_, 1) });
    expect((await tough.finish({ attempts: [attempt] })).durationMs).toBe(seconds * 1_000);
    await tough.close();
  });

  test('are whole without a poster where that cannot be made', async () => {
    const place = await newFolder();
    const ffmpegPath = join(place, 'ffmpeg-without-jpeg');
    await writeFile(ffmpegPath, '#!/bin/sh\ncase "$*" in *mjpeg*) exit 9;; esac\nexec ffmpeg "$@"\n');
    await chmod(ffmpegPath, 0o755);
    const { incremental } = await grow(place, { ffmpegPath });
    const finished = await incremental.finish({ attempts: [attempt] });
    expect(finished).not.toHaveProperty('poster');
    expect(finished.artifacts.map(({ name }) => name)).toEqual(['video', 'audio', 'audio_m4a']);
    expect(finished.durationMs).toBe(seconds * 1_000);
    await incremental.close();
  });

  test('encode slowly during the meeting, and the rest at once when it ends', async () => {
    const { incremental } = await grow(await newFolder());
    const begun = performance.now();
    let isIdle = false;
    const idle = incremental.idle().then(() => (isIdle = true));
    await finalize(await newFolder());
    expect(isIdle).toBe(false);
    const wholeMs = performance.now() - begun;
    await incremental.finish({ attempts: [attempt] });
    await idle;
    // The encoder gets the first fragment's audio over ten seconds.
    expect(performance.now() - begun).toBeLessThan(Math.max(9_000, 4 * wholeMs));
    await incremental.close();
  });

  test('take no fragment that comes while they are finished', async () => {
    const late = attempt.fragments.filter(({ endMs }) => endMs > 20_000).map(({ sequence }) => sequence);
    const place = await newFolder();
    const { incremental } = await grow(place, { without: late });
    const finishing = incremental.finish({ attempts: [attempt] });
    for (const fragment of attempt.fragments) if (late.includes(fragment.sequence)) incremental.add(fragment);
    const files = await written(place, await finishing);
    await incremental.close();
    expect(incremental.failure).toBeNull();
    const elsewhere = await newFolder();
    const fragments = attempt.fragments.filter(({ sequence }) => !late.includes(sequence));
    const expected = await finalize(elsewhere, { attempts: [{ ...attempt, fragments }] });
    await same(files.video, expected.video ?? '');
    await same(files.audio, expected.audio);
  });

  test('hold a lost fragment as silence at its time, with sound and picture in step behind it', async () => {
    const place = await newFolder();
    const { incremental } = await grow(place, { without: [11] });
    const lost = attempt.fragments.find(({ sequence }) => sequence === 11);
    const finished = await incremental.finish({ attempts: [attempt] });
    const { video } = await written(place, finished);
    await incremental.close();
    expect(finished.integrity.gaps).toEqual([
      { startMs: lost?.startMs, endMs: lost?.endMs, reason: 'missing_fragments' },
    ]);
    const { report } = await checkRecording(video, { silenceMs: 1_000 });
    expect(report).toMatchObject({ decodeErrors: [], video: { stepsBack: [], timeJumps: [] } });
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(15);
    expect(
      report.silences.some(
        ({ startMs, endMs }) => startMs <= (lost?.startMs ?? 0) + 100 && endMs >= (lost?.endMs ?? 0) - 100,
      ),
    ).toBe(true);
  });
});

describe('a process that is killed while it finishes a recording', () => {
  test('leaves nothing that keeps the next one from the same files', async () => {
    const whole = await newFolder();
    const expected = await finalize(whole);
    const place = await newFolder();
    const options = { attempts: [attempt], workFolder: place, ffmpegPath: 'ffmpeg', mode: 'speaker_view' };
    const program = join(import.meta.dirname, '../testing/finalize-child.ts');
    for (const afterMs of [0, 150, 400, 700]) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', program, JSON.stringify(options), place],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      await once(child.stdout, 'data');
      await Promise.race([sleep(afterMs), once(child, 'exit')]);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    // Cut in the middle of a write, and a write that was never finished.
    const audioFragment = await readFile(fragmentIn(place)(0)).catch(() => Buffer.from('cut'));
    await writeFile(fragmentIn(place)(0), audioFragment.subarray(0, audioFragment.length / 2));
    await writeFile(`${fragmentIn(place)(1)}.part`, 'cut');
    await writeFile(join(place, 'video.mp4.part'), 'cut');
    const done = await finalize(place, { attempts: [{ ...attempt, audioFragmentPath: fragmentIn(place) }] });
    await same(done.video ?? '', expected.video ?? '');
    await same(done.audio, expected.audio);
    await same(done.audioM4a, expected.audioM4a);
  });
});
