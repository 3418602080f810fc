import { findChromium } from '@rapporteur/local-stack/chromium';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny';
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { finalizeRecording } from '../index.ts';
import type { RecordingAttempt } from '../index.ts';
import { chromiumFlags } from '../testing/record-scene.ts';
import { storeAttemptOf } from '../testing/stored-attempt.ts';

const run = promisify(execFile);
/** Ten seconds between key frames, as senders in calls give them; the second sender's video is larger, the third one is the first again. */
const framesPerKey = 250;
const small = { seconds: 8, framesPerKey, profile: 'baseline', size: { width: 640, height: 360 } } as const;
const large = { seconds: 6, framesPerKey, profile: 'high', size: { width: 1_280, height: 720 } } as const;

let folder = '';
let attempt: RecordingAttempt;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changing-'));
  attempt = await storeAttemptOf(join(folder, 'attempt'), 0, [small, large, { ...small, seconds: 4 }]);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const finalize = (name: string, without: readonly number[] = []) =>
  finalizeRecording({
    attempts: [{ ...attempt, fragments: attempt.fragments.filter(({ sequence }) => !without.includes(sequence)) }],
    workFolder: join(folder, name),
    ffmpegPath: 'ffmpeg',
    mode: 'speaker_view',
  });

/** Every frame through the decoder: what it complains of. */
async function complaints(path: string): Promise<string> {
  const { stderr } = await run('ffmpeg', ['-v', 'warning', '-i', path, '-map', '0:v', '-f', 'null', '-']);
  return stderr;
}

describe('a recording whose pictures change their size', () => {
  test('has fragments no longer than four seconds that are one readable file', async () => {
    expect(attempt.fragments.every(({ startMs, endMs }) => endMs - startMs <= 4_000)).toBe(true);
    const path = join(folder, 'joined.mp4');
    const files = [attempt.init, ...attempt.fragments.map((fragment) => fragment.path)];
    await writeFile(path, Buffer.concat(await Promise.all(files.map((file) => readFile(file)))));
    expect(await complaints(path)).toBe('');
    const { report } = await checkRecording(path);
    expect(report).toMatchObject({ decodeErrors: [], video: { stepsBack: [], markedFrames: 450 } });
  });

  test('has all of them, at their time, behind one description for each encoder', async () => {
    const { video = '', integrity } = await finalize('whole');
    expect(integrity.gaps).toEqual([]);
    expect(await complaints(video)).toBe('');
    const { report } = await checkRecording(video);
    expect(report).toMatchObject({
      decodeErrors: [],
      video: { stepsBack: [], timeJumps: [], markedFrames: 450 },
    });
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(15);
    const bytes = await readFile(video);
    const entries = [...sampleEntries(bytes)];
    expect(entries).toEqual([
      { width: 640, height: 360 },
      { width: 1_280, height: 720 },
    ]);
    const track = await new Input({ source: new FilePathSource(video), formats: ALL_FORMATS }).getPrimaryVideoTrack();
    const keys: number[] = [];
    if (track)
      for await (const { timestamp, type } of new EncodedPacketSink(track).packets())
        if (type === 'key') keys.push(timestamp);
    expect(keys).toEqual([0, 8, 14]);
  });

  test('plays in a browser across a change, and jumps into each of its parts', async () => {
    const { video = '' } = await finalize('played');
    const seen = await playedIn(video, [1, 10, 16, 3, 12]);
    expect(seen.sought).toEqual([640, 1_280, 640, 640, 1_280]);
    expect(seen.played).toEqual([640, 1_280]);
  }, 60_000);

  test('that lost a fragment shows nothing that cannot be decoded, and says where', async () => {
    const second = attempt.fragments.find(({ startMs }) => startMs > 0);
    if (!second) throw new Error('no fragments');
    const { video = '', integrity, durationMs } = await finalize('lost', [second.sequence]);
    expect(durationMs).toBe(18_000);
    expect(integrity.gaps).toEqual([
      { startMs: 3_000, endMs: 6_000, reason: 'missing_fragments' },
      { startMs: 6_000, endMs: 8_000, reason: 'undecodable_video' },
    ]);
    expect(integrity.framesStored).toBe(75 + 250);
    expect(await complaints(video)).toBe('');
    const { report } = await checkRecording(video);
    expect(report).toMatchObject({ decodeErrors: [], video: { stepsBack: [], markedFrames: 325 } });
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(15);
  });
});

function* sampleEntries(bytes: Buffer): Generator<{ width: number; height: number }> {
  const index = bytes.subarray(
    bytes.indexOf('moov'),
    bytes.indexOf('moov') + bytes.readUInt32BE(bytes.indexOf('moov') - 4),
  );
  for (let at = index.indexOf('avc1'); at !== -1; at = index.indexOf('avc1', at + 4))
    yield { width: index.readUInt16BE(at + 28), height: index.readUInt16BE(at + 30) };
}

async function playedIn(path: string, seconds: readonly number[]): Promise<{ sought: number[]; played: number[] }> {
  const { size } = await stat(path);
  const server = createServer((request, response) => {
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const range = { start: Number(from), end: to === '' ? size - 1 : Number(to) };
    const headers = {
      'accept-ranges': 'bytes',
      'content-type': 'video/mp4',
      'content-length': range.end - range.start + 1,
    };
    response.writeHead(206, { ...headers, 'content-range': `bytes ${range.start}-${range.end}/${size}` });
    createReadStream(path, range).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  try {
    const page = await browser.newPage();
    return (await page.evaluate(`(async () => {
      const video = document.createElement('video');
      video.muted = true;
      video.src = 'http://127.0.0.1:${(server.address() as AddressInfo).port}/video.mp4';
      document.body.append(video);
      const once = (name) => new Promise((resolve, reject) => {
        video.addEventListener(name, resolve, { once: true });
        video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
      });
      const goTo = async (second) => {
        const sought = once('seeked');
        video.currentTime = second;
        await sought;
        return video.videoWidth;
      };
      await once('loadeddata');
      const sought = [];
      for (const second of ${JSON.stringify(seconds)}) sought.push(await goTo(second));
      const played = [await goTo(7.5)];
      const changed = once('resize');
      await video.play();
      await changed;
      played.push(video.videoWidth);
      return { sought, played };
    })()`)) as { sought: number[]; played: number[] };
  } finally {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  }
}
