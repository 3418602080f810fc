import { spawnSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { flacHead, frameSamples, splitFlac } from '@rapporteur/media-container';
import type { PartRow } from '../schema/entities.ts';
import type { BotFiles } from '../storage/recording-store.ts';
import { audioOf } from './part-audio.ts';

function ffmpeg(words: readonly string[], input?: Buffer): Buffer {
  const made = spawnSync('ffmpeg', ['-v', 'error', '-y', ...words, '-'], { input, maxBuffer: 100_000_000 });
  if (made.status !== 0) throw new Error(String(made.stderr));
  return made.stdout;
}

/** A tone from 40 to 41 s of a minute. */
const tone = ['-f', 'lavfi', '-i', "aevalsrc='0.5*sin(2*PI*440*t)*between(t,40,41)':s=48000:d=60"];

test.each([
  ['audio/flac', ['-sample_fmt', 's16', '-frame_size', '1024', '-f', 'flac']],
  ['audio/ogg', ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg']],
])('a span of %s is a file of its own, of the announced length', async (contentType, encoding) => {
  const whole = ffmpeg([...tone, ...encoding]);
  const { byteLength, stream } = await cutOf(contentType, whole);
  const cut = await buffer(stream);
  expect(cut.length).toBe(byteLength);
  expect(cut.length).toBeLessThan(whole.length);
  const pcm = ffmpeg(['-i', '-', '-ar', '4000', '-ac', '1', '-f', 's16le'], cut);
  const samples = Array.from({ length: pcm.length / 2 }, (_, index) => Math.abs(pcm.readInt16LE(2 * index)));
  expect(Math.abs(samples.length / 4 - 15_000)).toBeLessThan(100);
  expect(Math.abs(samples.findIndex((one) => one > 3_000) / 4 - 5_000)).toBeLessThan(60);
  expect(Math.abs(samples.findLastIndex((one) => one > 3_000) / 4 - 6_000)).toBeLessThan(60);
});

test('audio of another rate is not cut at wrong times', async () => {
  const other = ffmpeg([...tone, '-ar', '8000', '-frame_size', '1024', '-f', 'flac']);
  await expect(cutOf('audio/flac', other)).rejects.toThrow('The FLAC audio has 8000 samples a second.');
});

test('a span far inside of FLAC is read from the seek point before it on', async () => {
  const noise = `-f lavfi -i anoisesrc=r=48000:d=60:seed=1 -sample_fmt s16 -frame_size 1024 -f flac`.split(' ');
  const streamed = ffmpeg(noise);
  const frames = splitFlac(streamed);
  const seekPoints = [0, 469, 938, 1_407].map((frame) => {
    const offset = frames.slice(0, frame).reduce((sum, { length }) => sum + length, 0);
    return { sample: frame * frameSamples, offset, samples: frameSamples };
  });
  const head = flacHead({ samples: 60 * 48_000, rate: 48_000, seekPoints }, 1);
  const expected = await buffer((await cutOf('audio/flac', streamed)).stream);
  const cut = await buffer((await cutOf('audio/flac', Buffer.concat([head, ...frames]))).stream);
  // A streamed file does not state its length, which is the only difference.
  const headBytes = flacHead({ samples: 0, rate: 48_000, seekPoints: [] }, 1).length;
  expect(cut.subarray(headBytes).equals(expected.subarray(headBytes))).toBe(true);
  // 35 s: the seek point of 30 s, once for the length and once for the audio.
  const far = head.length + (seekPoints[3]?.offset ?? 0);
  expect(opened).toEqual([0, far, 0, far]);
});

const opened: number[] = [];

async function cutOf(contentType: string, whole: Buffer) {
  opened.length = 0;
  const files = {
    open: async (_key: string, from: number) => {
      opened.push(from);
      return { byteLength: whole.length - from, stream: Readable.from(chunksOf(whole.subarray(from))) };
    },
  } as unknown as BotFiles;
  const part = { audio_key: 'a.x', content_type: contentType, reference: 'r', from_ms: 35_000, to_ms: 50_000 };
  return await audioOf(files, part as PartRow).open();
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 7_001) yield bytes.subarray(at, at + 7_001);
}
