import { describe, expect, test } from '@jest/globals';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { FragmentAssembler } from './fragment-assembler.ts';
import type { RecordingFragment } from './fragment-assembler.ts';
import { readAvcC } from './init-segment.ts';
import { fragmentIndex, mediaFragment } from './media-fragment.ts';
import { parameterSetBytes, frameIn } from '../avc/parameter-sets.ts';

/** A real constrained-baseline record (640x480), accepted by an independent reader. */
const avcC = Buffer.from('0142c01fffe1000e6742c01f8c8d40501e900f08846a01000468ce3c80', 'hex');
const opusHead = Buffer.from('4f707573486561640101380180bb0000000000', 'hex');

interface Taken {
  readonly assembler: FragmentAssembler;
  readonly inits: Uint8Array[];
  readonly fragments: RecordingFragment[];
  framesLost: number;
}

function assemble(withVideo: boolean, fragmentMs = 2_000, isLate = false): Taken {
  const taken = { inits: [] as Uint8Array[], fragments: [] as RecordingFragment[], framesLost: 0 };
  const assembler = new FragmentAssembler({
    withVideo,
    width: 1280,
    height: 720,
    fragmentMs,
    onInit: (bytes) => taken.inits.push(bytes),
    onFragment: (fragment) => taken.fragments.push(fragment),
    awaitsFirstFrame: () => isLate,
    onFrameLost: () => (taken.framesLost += 1),
  });
  return Object.assign(taken, { assembler });
}

const videoData = (timeMs: number, key = false) => ({
  timeUs: timeMs * 1_000,
  key,
  bytes: Buffer.from([0, 0, 0, 1, key ? 0x65 : 0x41]),
});
const audioData = (timeMs: number) => ({
  timeUs: timeMs * 1_000,
  durationUs: 20_000,
  bytes: Buffer.from([0xfc, 0xff, 0xfe]),
});

/** Feeds media time `from`..`to`, 25 frames a second with a key frame at each of `keysMs`, audio 300 ms behind. */
function feed(assembler: FragmentAssembler, fromMs: number, toMs: number, keysMs: readonly number[]): void {
  for (let ms = fromMs; ms < toMs + 300; ms += 20) {
    if (ms % 40 === 0 && ms < toMs) assembler.addVideo(videoData(ms, keysMs.includes(ms)));
    if (ms - 300 >= fromMs && ms - 300 < toMs) assembler.addAudio(audioData(ms - 300));
  }
}

describe('FragmentAssembler', () => {
  test('closes a fragment at a key frame, with the sound up to the same moment', () => {
    const { assembler, inits, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 5_000, [0, 1_960, 3_880]);
    assembler.finish(5_000);
    expect(inits).toHaveLength(1);
    expect(fragments.map(({ sequence, startMs, endMs }) => [sequence, startMs, endMs])).toEqual([
      [1, 0, 1_960],
      [2, 1_960, 3_880],
      [3, 3_880, 5_000],
    ]);
    expect(fragments.map(({ videoSamples, audioSamples }) => [videoSamples, audioSamples])).toEqual([
      [49, 98],
      [48, 96],
      [28, 56],
    ]);
  });

  test('leaves key frames in the fragment that come soon after its beginning', () => {
    const { assembler, fragments } = assemble(true, 4_200);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 9_000, [0, 1_000, 2_400, 3_880, 5_000, 7_200, 8_000]);
    assembler.finish(9_000);
    expect(fragments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 3_880],
      [3_880, 7_200],
      [7_200, 9_000],
    ]);
    expect(fragments.reduce((sum, fragment) => sum + fragment.videoSamples, 0)).toBe(225);
  });

  test('every beginning of the file is a readable MP4 with exact times for another reader', async () => {
    const { assembler, inits, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 5_000, [0, 1_960, 3_880]);
    assembler.finish(5_000);
    const file = Buffer.concat([...inits, ...fragments.slice(0, 2).map((fragment) => fragment.bytes)]);
    const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
    const video = await input.getPrimaryVideoTrack();
    const audio = await input.getPrimaryAudioTrack();
    expect([video?.codec, video?.codedWidth, video?.codedHeight, audio?.codec]).toEqual(['avc', 640, 480, 'opus']);
    expect(await video?.computeDuration()).toBeCloseTo(3.88, 4);
    const times: number[] = [];
    if (video) for await (const packet of new EncodedPacketSink(video).packets()) times.push(packet.timestamp);
    expect(times).toHaveLength(97);
    expect(times.every((time, index) => Math.abs(time - index * 0.04) < 0.001)).toBe(true);
  });

  test('does not wait for ever for audio that stalls', () => {
    const { assembler, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    for (let ms = 0; ms < 4_000; ms += 40) assembler.addVideo(videoData(ms, ms % 1_800 === 0));
    expect(fragments.map((fragment) => fragment.endMs)).toEqual([1_800]);
  });

  test('goes on with sound alone when pictures stop', () => {
    const { assembler, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 1_000, [0]);
    for (let ms = 1_000; ms < 9_000; ms += 20) assembler.addAudio(audioData(ms));
    assembler.finish(null);
    expect(fragments.at(-1)?.endMs).toBe(9_000);
    expect(fragments.reduce((sum, fragment) => sum + fragment.audioSamples, 0)).toBe(450);
  });

  test('becomes a recording of sound when the encoder never describes a picture, and says so once', () => {
    const taken = assemble(true);
    taken.assembler.describe({ opusHead });
    for (let ms = 0; ms < 20_000; ms += 20) taken.assembler.addAudio(audioData(ms));
    taken.assembler.finish(null);
    expect(taken.framesLost).toBe(1);
    expect(readAvcC(taken.inits[0] ?? new Uint8Array())).toBeNull();
    expect(taken.fragments.reduce((sum, fragment) => sum + fragment.audioSamples, 0)).toBe(1_000);
  });

  test('waits longer for the first frame of an encoder that has too little CPU: later it cannot be part of the recording', () => {
    const { assembler, inits, fragments } = assemble(true, 2_000, true);
    assembler.describe({ opusHead });
    for (let ms = 0; ms < 15_000; ms += 20) assembler.addAudio(audioData(ms));
    expect(fragments).toEqual([]);
    assembler.describe({ avcC });
    assembler.addVideo(videoData(15_000, true));
    assembler.finish(16_000);
    expect(readAvcC(inits[0] ?? new Uint8Array())).not.toBeNull();
    expect(fragments.reduce((sum, fragment) => sum + fragment.audioSamples, 0)).toBe(750);
  });

  test('a cut closes what is open; what comes after it begins a fragment of its own', () => {
    const { assembler, fragments } = assemble(true);
    assembler.cut(10);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 2_480, [0, 1_960]);
    assembler.cut(2_470);
    assembler.cut(2_470);
    feed(assembler, 2_480, 4_480, [2_480, 4_440]);
    assembler.finish(4_480);
    expect(fragments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 1_960],
      [1_960, 2_470],
      [2_470, 4_440],
      [4_440, 4_480],
    ]);
    expect(fragments.reduce((sum, fragment) => sum + fragment.videoSamples, 0)).toBe(112);
    expect(fragments.reduce((sum, fragment) => sum + fragment.audioSamples, 0)).toBe(224);
  });

  test('goes on after a break with a fragment of its own that begins with a key frame and says why', () => {
    const { assembler, inits, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 1_000, [0]);
    assembler.finish(null);
    assembler.resume(4_000, 'page_lost');
    assembler.describe({ avcC, opusHead });
    assembler.addVideo(videoData(4_000));
    assembler.addVideo(videoData(3_900, true));
    feed(assembler, 4_040, 6_040, [4_040, 6_000]);
    assembler.finish(6_040);
    expect(inits).toHaveLength(1);
    expect(fragments.map(({ startMs, endMs, gapBefore }) => [startMs, endMs, gapBefore])).toEqual([
      [0, 1_000, null],
      [4_000, 6_000, 'page_lost'],
      [6_000, 6_040, null],
    ]);
    expect(fragments[1]?.videoSamples).toBe(49);
  });

  test('takes no sound twice when another page has its clock behind', () => {
    const { assembler, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 10_000, [0]);
    assembler.finish(null);
    const before = fragments.reduce((sum, fragment) => sum + fragment.audioSamples, 0);
    assembler.resume(4_000, 'page_lost');
    feed(assembler, 4_000, 12_000, [4_000, 10_000]);
    assembler.finish(null);
    const after = fragments.reduce((sum, fragment) => sum + fragment.audioSamples, 0) - before;
    expect(after).toBe(100);
    const bytes = Buffer.from(fragments.at(-1)?.bytes ?? []);
    const { audio } = fragmentIndex(bytes, bytes.length);
    expect([audio?.startTicks, Math.max(...(audio?.entries.map(({ ticks }) => ticks) ?? []))]).toEqual([480_000, 960]);
  });

  test('a stream with few key frames is cut between them too, and no fragment gets long', () => {
    const { assembler, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 15_000, [0, 10_000]);
    assembler.finish(15_000);
    expect(fragments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 3_000],
      [3_000, 6_000],
      [6_000, 9_000],
      [9_000, 12_000],
      [12_000, 15_000],
    ]);
    expect(fragments.reduce((sum, fragment) => sum + fragment.videoSamples, 0)).toBe(375);
  });

  test('video that stalls for seconds makes no fragment longer', () => {
    const { assembler, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 2_000, [0]);
    for (let ms = 2_000; ms < 5_000; ms += 20) assembler.addAudio(audioData(ms));
    feed(assembler, 5_000, 6_000, []);
    assembler.finish(6_000);
    expect(fragments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 3_000],
      [3_000, 6_000],
    ]);
    expect(fragments.map(({ videoSamples }) => videoSamples)).toEqual([50, 25]);
  });

  test('key frames say themselves how they are decoded, also when an earlier encoder comes back', () => {
    const { assembler, fragments } = assemble(true);
    const other = Buffer.from(avcC);
    other.writeUInt8(0x1e, 11);
    const saysOfItself = (): Buffer | undefined => {
      feed(assembler, nextMs, nextMs + 1_000, [nextMs]);
      assembler.finish(null);
      nextMs += 2_000;
      assembler.resume(nextMs, 'page_lost');
      const bytes = Buffer.from(fragments.at(-1)?.bytes ?? []);
      const run = fragmentIndex(bytes, bytes.length).video;
      const videoData = frameIn(bytes.subarray(run?.dataAt, (run?.dataAt ?? 0) + (run?.entries[0]?.size ?? 0)));
      expect([videoData?.width, videoData?.height]).toEqual([640, 480]);
      return videoData ? parameterSetBytes(videoData.avcC) : undefined;
    };
    let nextMs = 0;
    assembler.describe({ avcC, opusHead });
    expect(saysOfItself()).toEqual(parameterSetBytes(avcC));
    assembler.describe({ avcC: other });
    expect(saysOfItself()).toEqual(parameterSetBytes(other));
    expect(parameterSetBytes(other)).not.toEqual(parameterSetBytes(avcC));
    assembler.describe({ avcC });
    expect(saysOfItself()).toEqual(parameterSetBytes(avcC));
  });

  test('sound alone is cut every two seconds', () => {
    const { assembler, fragments } = assemble(false);
    assembler.describe({ opusHead });
    for (let ms = 0; ms < 5_000; ms += 20) assembler.addAudio(audioData(ms));
    assembler.finish(5_000);
    expect(fragments.map(({ startMs, endMs, videoSamples }) => [startMs, endMs, videoSamples])).toEqual([
      [0, 2_000, 0],
      [2_000, 4_000, 0],
      [4_000, 5_000, 0],
    ]);
  });

  test('no fragment is longer than four seconds', () => {
    const audio = assemble(false, 4_200);
    audio.assembler.describe({ opusHead });
    for (let ms = 0; ms < 5_000; ms += 20) audio.assembler.addAudio(audioData(ms));
    audio.assembler.finish(5_000);
    const video = assemble(true, 4_200);
    video.assembler.describe({ avcC, opusHead });
    feed(video.assembler, 0, 5_000, [0]);
    video.assembler.finish(5_000);
    for (const { fragments } of [audio, video])
      expect(fragments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
        [0, 4_000],
        [4_000, 5_000],
      ]);
  });

  test('says the hash of each fragment', () => {
    const { assembler, fragments } = assemble(false);
    for (let ms = 0; ms < 2_000; ms += 20) assembler.addAudio(audioData(ms));
    expect(fragments[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a stored fragment', () => {
  test('never holds a negative duration', () => {
    const bytes = mediaFragment({
      sequence: 1,
      video: [],
      audio: [audioData(2_000), audioData(1_000)],
      endUs: 3_000_000,
    });
    const { audio } = fragmentIndex(bytes, bytes.length);
    expect(audio?.entries.map(({ ticks }) => ticks)).toEqual([1, 960]);
  });

  test('says what is in it', () => {
    const { assembler, fragments } = assemble(true);
    assembler.describe({ avcC, opusHead });
    feed(assembler, 0, 2_000, [0]);
    assembler.finish(2_000);
    const bytes = Buffer.from(fragments[0]?.bytes ?? []);
    const { video, audio } = fragmentIndex(bytes.subarray(0, 4_000), bytes.length);
    expect([video?.samples, video?.startTicks, audio?.samples, audio?.startTicks]).toEqual([50, 0, 100, 0]);
    const ticks = (run: typeof video) => run?.entries.reduce((sum, entry) => sum + entry.ticks, 0);
    expect([ticks(video), ticks(audio)]).toEqual([180_000, 96_000]);
  });

  test('that was cut is refused', () => {
    const { assembler, fragments } = assemble(false);
    for (let ms = 0; ms < 2_000; ms += 20) assembler.addAudio(audioData(ms));
    const bytes = Buffer.from(fragments[0]?.bytes ?? []);
    expect(() => fragmentIndex(bytes, bytes.length - 10)).toThrow(/cut or damaged/);
    expect(() => fragmentIndex(bytes.subarray(0, 100), bytes.length)).toThrow(/cut or damaged/);
    const text = Buffer.from('not a fragment at all');
    expect(() => fragmentIndex(text, text.length)).toThrow(/cut or damaged/);
  });
});
