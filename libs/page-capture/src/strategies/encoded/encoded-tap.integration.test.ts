import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sequenceIn, unitsIn, unitType, unitTypes } from '@rapporteur/media-container/avc-units';
import type { EncodedFrame } from '../../chromium-media.ts';
import { EncodedTap } from './encoded-tap.page.ts';
import type { TappedFrame } from './encoded-tap.page.ts';

const run = promisify(execFile);
const framesPerKey = 20;
const frameMs = 40;
const rtpPerFrame = 3_600;

/** Frames of a real encoder, with start codes, the key frames with their parameter sets. */
async function videoFrames(size: string, count: number): Promise<Buffer[]> {
  const { stdout } = await run(
    'ffmpeg',
    [
      ...`-v error -f lavfi -i testsrc2=s=${size}:r=25 -frames:v ${count} -pix_fmt yuv420p -c:v libx264`.split(' '),
      ...'-preset ultrafast -profile:v baseline -tune zerolatency -threads 1'.split(' '),
      ...`-g ${framesPerKey} -sc_threshold 0 -f h264 pipe:1`.split(' '),
    ],
    { encoding: 'buffer', maxBuffer: 2 ** 26 },
  );
  const found: Buffer[] = [];
  let parts: Uint8Array[] = [];
  for (const unit of unitsIn(new Uint8Array(stdout))) {
    parts.push(Buffer.from([0, 0, 0, 1]), unit);
    if (unitType(unit) !== unitTypes.slice && unitType(unit) !== unitTypes.keySlice) continue;
    found.push(Buffer.concat(parts));
    parts = [];
  }
  return found;
}

let wide: Buffer[];
let square: Buffer[];
beforeAll(async () => {
  [wide, square] = await Promise.all([videoFrames('320x180', 45), videoFrames('240x240', 3)]);
});

/** A receiver's frames, one after the other, and what becomes of them. */
function tapped() {
  const taken: TappedFrame[] = [];
  const said: string[] = [];
  const decoded: Buffer[] = [];
  let requested = 0;
  let nowMs = 1_000_000;
  let frames = 0;
  const toTap = new TransformStream<EncodedFrame, EncodedFrame>();
  const fromTap = new TransformStream<EncodedFrame, EncodedFrame>();
  const tap = new EncodedTap({
    readable: toTap.readable,
    writable: fromTap.writable,
    options: null,
    sendKeyFrameRequest: async () => (requested += 1),
  });
  tap.attend(16 / 9, {
    now: () => nowMs,
    report: (error) => said.push(String(error)),
    onFrame: (video) => taken.push(video),
    onRefused: (reason) => said.push(reason === null ? 'taken again' : `refused: ${reason}`),
    onPassing: () => said.push('passing'),
  });
  tap.want(true);
  const writer = toTap.writable.getWriter();
  const reader = fromTap.readable.getReader();
  const give = async (bytes: Buffer, mimeType = 'video/H264', lostBefore = 0): Promise<void> => {
    frames += 1 + lostBefore;
    nowMs += frameMs * (1 + lostBefore);
    const rtpTimestamp = (2 ** 32 - 10 * rtpPerFrame + frames * rtpPerFrame) % 2 ** 32;
    const data = new Uint8Array(bytes).buffer;
    const type = unitsIn(new Uint8Array(data)).some((unit) => unitType(unit) === unitTypes.keySlice) ? 'key' : 'delta';
    void writer.write({ data, type, getMetadata: () => ({ mimeType, rtpTimestamp }) });
    const { value } = await reader.read();
    decoded.push(Buffer.from(value?.data ?? new ArrayBuffer(0)));
  };
  return { tap, taken, said, decoded, give, requested: () => requested };
}

const isStub = (bytes: Buffer): boolean => {
  const units = unitsIn(new Uint8Array(bytes));
  const set = units.find((unit) => unitType(unit) === unitTypes.sequenceSet);
  return set ? sequenceIn(set)?.width === 32 : bytes.length < 24;
};

describe('a tap', () => {
  test('copies every picture from the first key frame on, and leaves the decoder all of them until it is told to', async () => {
    const { taken, decoded, give, requested, said } = tapped();
    for (const video of wide.slice(5)) await give(video);
    expect(decoded.map((bytes) => bytes.equals(Buffer.alloc(0)))).not.toContain(true);
    expect(decoded).toEqual(wide.slice(5));
    expect(taken.map(({ key }) => key)).toEqual(wide.slice(20).map((_, index) => index % framesPerKey === 0));
    const steps = taken.slice(1).map(({ pageMs }, index) => Math.round(pageMs - (taken[index]?.pageMs ?? 0)));
    expect(new Set(steps)).toEqual(new Set([frameMs]));
    expect(taken[0]?.avcC?.[0]).toBe(1);
    expect(requested()).toBeGreaterThan(0);
    expect(said).toEqual([]);
  });

  test('gives the decoder stubs from a key frame on, and what comes again from a key frame on', async () => {
    const { tap, taken, decoded, give, said } = tapped();
    await give(wide[0]!);
    tap.stub();
    for (const video of wide.slice(1, 30)) await give(video);
    expect(decoded.map(isStub)).toEqual([...Array<boolean>(20).fill(false), ...Array<boolean>(10).fill(true)]);
    tap.pass();
    for (const video of wide.slice(30)) await give(video);
    expect(decoded.slice(30).map(isStub)).toEqual([...Array<boolean>(10).fill(true), ...Array<boolean>(5).fill(false)]);
    expect(said).toEqual(['passing']);
    expect(taken).toHaveLength(45);
  });

  test('gives nothing on between a picture that is missing and the next key frame, which it asks for', async () => {
    const { taken, give, requested } = tapped();
    for (const video of wide.slice(0, 8)) await give(video);
    const before = requested();
    await give(wide[10]!, 'video/H264', 2);
    for (const video of wide.slice(11, 24)) await give(video);
    expect(taken).toHaveLength(8 + 4);
    expect(taken[8]?.key).toBe(true);
    expect(requested()).toBeGreaterThan(before);
  });

  test('leaves alone what is of another codec or another shape, and says so once', async () => {
    const first = tapped();
    await first.give(wide[0]!);
    first.tap.stub();
    for (const video of wide.slice(1, 24)) await first.give(video);
    const other = Buffer.from('not H.264');
    await first.give(other, 'video/VP8');
    await first.give(other, 'video/VP8');
    expect(first.decoded.slice(-2)).toEqual([other, other]);
    expect(first.said.filter((word) => word.startsWith('refused'))).toEqual(['refused: video/VP8']);
    expect(first.said).toContain('passing');
    const second = tapped();
    for (const video of square) await second.give(video);
    expect(second.said[0]).toBe('refused: 240 x 240');
    expect(second.taken).toEqual([]);
    expect(second.decoded).toEqual(square);
  });

  test('asks for another key frame where the first one is not decoded behind a transform', async () => {
    const [av1, vp8] = [tapped(), tapped()];
    for (const one of [av1, vp8]) one.tap.want(false);
    for (const video of [wide[0]!, wide[1]!]) {
      await av1.give(video, 'video/AV1');
      await vp8.give(video, 'video/VP8');
    }
    expect([av1.requested(), vp8.requested()]).toEqual([1, 0]);
  });
});
