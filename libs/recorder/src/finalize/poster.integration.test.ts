import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePoster, PosterChoice } from './poster.ts';
import type { KeyFrame } from './poster.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'poster-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const size = { width: 640, height: 360 };
/** One key frame of ffmpeg's test sources, encoded. */
const keyOf = async (name: string, source: string): Promise<KeyFrame> => {
  const movie = join(folder, `${name}.mp4`);
  const encode = `-nostdin -y -loglevel error -f lavfi -i ${source} -frames:v 1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p`;
  execFileSync('ffmpeg', [...encode.split(' '), movie]);
  const input = new Input({ source: new FilePathSource(movie), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error('ffmpeg encoded no frame.');
  const packet = await new EncodedPacketSink(track).getFirstPacket();
  const path = join(folder, `${name}.h264`);
  const bytes = Buffer.from(packet?.data ?? []);
  await writeFile(path, Buffer.concat([Buffer.from('before'), bytes, Buffer.from('behind')]));
  const otherAvcC = new Uint8Array((await track.getDecoderConfig())?.description as Uint8Array);
  return { path, start: 6, size: bytes.length, atMs: 0, otherAvcC };
};
const colourAt = (jpeg: string, x: number, y: number): number[] => {
  const read = `-nostdin -loglevel error -i ${jpeg} -vf crop=2:2:${x}:${y},scale=1:1 -f rawvideo -pix_fmt rgb24 pipe:1`;
  return [...execFileSync('ffmpeg', read.split(' '))];
};

describe('the poster', () => {
  test('is the first picture that shows something, not black and not blank', async () => {
    const black = await keyOf('black', `color=black:s=${size.width}x${size.height}`);
    const blank = await keyOf('blank', `color=0x8090a0:s=${size.width}x${size.height}`);
    const bars = await keyOf('bars', `smptebars=s=${size.width}x${size.height}`);
    const path = join(folder, 'poster.jpg');
    const costs: number[] = [];
    const options = {
      video: { ...size, avcC: black.otherAvcC ?? new Uint8Array() },
      ffmpegPath: 'ffmpeg',
      path,
      onCpu: (cpuMs: number) => costs.push(cpuMs),
    };
    expect(await makePoster([black, blank], options)).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith('poster'))).toEqual([]);
    expect(await makePoster([black, blank, bars], options)).toBe(true);
    expect(costs).toHaveLength(5);
    // The second of the bars is yellow, the last one blue.
    const [red = 0, green = 0, blue = 255] = colourAt(path, 130, 100);
    expect(Math.min(red, green) - blue).toBeGreaterThan(100);
    const [lastRed = 255, , lastBlue = 0] = colourAt(path, 600, 100);
    expect(lastBlue - lastRed).toBeGreaterThan(100);
    const probed = execFileSync('ffprobe', [
      ...'-v error -show_entries stream=codec_name,width,height -of csv=p=0'.split(' '),
      path,
    ]);
    expect(probed.toString().trim()).toBe('mjpeg,640,360');
  }, 60_000);

  test('is chosen among few pictures: the fullest ones, and no two of nearly the same moment', () => {
    const choice = new PosterChoice();
    const at = (seconds: number, bytes: number): void =>
      choice.consider({ path: 'p', start: 0, size: bytes, atMs: seconds * 1_000, otherAvcC: null });
    at(0, 300);
    for (let second = 2; second < 60; second += 2) at(second, second === 30 ? 9_000 : 1_000 + second);
    for (let second = 60; second < 400; second += 2) at(second, 500);
    at(500, 8_000);
    at(501, 7_000);
    expect(choice.best.map(({ atMs, size: bytes }) => [atMs / 1_000, bytes])).toEqual([
      [30, 9_000],
      [500, 8_000],
      [58, 1_058],
      [68, 500],
    ]);
  });
});
