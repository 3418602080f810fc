import { spawnSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
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
  const files = {
    open: async () => ({ byteLength: whole.length, stream: Readable.from(chunksOf(whole)) }),
  } as unknown as BotFiles;
  const part = { audio_key: 'a.x', content_type: contentType, reference: 'r', from_ms: 35_000, to_ms: 50_000 };
  const { byteLength, stream } = await audioOf(files, part as PartRow).open();
  const cut = await buffer(stream);
  expect(cut.length).toBe(byteLength);
  expect(cut.length).toBeLessThan(whole.length);
  const pcm = ffmpeg(['-i', '-', '-ar', '4000', '-ac', '1', '-f', 's16le'], cut);
  const samples = Array.from({ length: pcm.length / 2 }, (_, index) => Math.abs(pcm.readInt16LE(2 * index)));
  expect(Math.abs(samples.length / 4 - 15_000)).toBeLessThan(100);
  expect(Math.abs(samples.findIndex((one) => one > 3_000) / 4 - 5_000)).toBeLessThan(60);
  expect(Math.abs(samples.findLastIndex((one) => one > 3_000) / 4 - 6_000)).toBeLessThan(60);
});

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 7_001) yield bytes.subarray(at, at + 7_001);
}
