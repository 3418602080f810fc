import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import type { EncodedAudio } from '@rapporteur/media-container';
import {
  flacHead,
  numberedFlacFrame,
  splitFlac,
  frameSamples,
  audioRate,
  readAudioFragment,
  audioFragmentBytes,
} from '@rapporteur/media-container';
import { encodeAudio } from '../audio/encode-audio.ts';
import type { AudioPacket } from '../audio/encode-audio.ts';
import { JoinedAudio } from './artifact-build.ts';

const encoder = { ffmpegPath: 'ffmpeg', deadlineMs: 60_000, niceness: 0 };
const fragmentFrames = 96;
const fragments = 6;
const ffmpeg = (options: string, input?: Buffer): Buffer =>
  spawnSync('ffmpeg', ['-v', 'error', ...options.split(' ')], { maxBuffer: 2 ** 28, ...(input ? { input } : {}) })
    .stdout;

/** Tones, noise and clicks: they make an encoder change its windows. */
function madeUpAudio(): Int16Array {
  const samples = new Int16Array(fragments * fragmentFrames * frameSamples);
  let seed = 7;
  for (let index = 0; index < samples.length; index += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const noise = (seed / 2 ** 31 - 0.5) * 1_500;
    const click = index % 7_919 < 40 ? 9_000 : 0;
    samples[index] = Math.round(6_000 * Math.sin(index / 20) + noise + click);
  }
  return samples;
}

async function packetsOf(pcm: Buffer): Promise<AudioPacket[]> {
  const ogg = ffmpeg('-f s16le -ar 48000 -ac 1 -i pipe:0 -c:a libopus -b:a 64k -f ogg pipe:1', pcm);
  const input = new Input({ source: new BufferSource(ogg), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('no sound');
  const packets: AudioPacket[] = [];
  for await (const { data } of new EncodedPacketSink(track).packets())
    packets.push({ start: packets.length * 960 - 312, samples: 960, bytes: data });
  return packets;
}

async function joined(audioRuns: readonly EncodedAudio[], endFrame: number) {
  const aac: Buffer[] = [];
  const flac: Buffer[] = [];
  const join = new JoinedAudio(encoder, async (frames) => {
    aac.push(...frames.aac);
    flac.push(...frames.flac);
  });
  for (const audio of audioRuns) await join.add(audio, 0);
  await join.fill(endFrame);
  return { aac, flac };
}

const adts = (frame: Buffer): Buffer => {
  const bytes = frame.length + 7;
  return Buffer.concat([
    Buffer.of(0xff, 0xf1, 0x4c, 0x40 | (bytes >> 11), (bytes >> 3) & 0xff, ((bytes & 7) << 5) | 0x1f, 0xfc),
    frame,
  ]);
};
const samplesIn = (pcm: Buffer): Int16Array => new Int16Array(new Uint8Array(pcm).buffer);
const largestDifference = (one: Int16Array, other: Int16Array): number =>
  one.reduce((largest, sample, index) => Math.max(largest, Math.abs(sample - (other[index] ?? 0))), 0);
/** Difference of two audio over a frame, as a root mean square. */
const difference = (one: Int16Array, other: Int16Array, frame: number): number => {
  let sum = 0;
  for (let index = frame * frameSamples; index < (frame + 1) * frameSamples; index += 1)
    sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2;
  return Math.sqrt(sum / frameSamples);
};

describe('sound encoded in pieces', () => {
  test('sounds as if it had been encoded in one go: FLAC to the last bit of a sample, AAC no worse at its joints than elsewhere', async () => {
    const total = fragments * fragmentFrames;
    const packets = await packetsOf(Buffer.from(madeUpAudio().buffer));
    const audioRuns: EncodedAudio[] = [];
    for (let firstFrame = 0; firstFrame < total; firstFrame += fragmentFrames)
      audioRuns.push(
        await encodeAudio(packets, { firstFrame, endSample: (firstFrame + fragmentFrames) * frameSamples }, encoder),
      );
    const inOneGo = await encodeAudio(packets, { firstFrame: 0, endSample: total * frameSamples }, encoder);
    const { aac, flac } = await joined(audioRuns, total);
    expect([aac.length, flac.length]).toEqual([total + 1, total]);

    const file = (frames: readonly Buffer[]): Buffer =>
      Buffer.concat([flacHead({ samples: total * frameSamples, rate: audioRate, seekPoints: [] }, 4_096), ...frames]);
    const decoded = samplesIn(ffmpeg('-f flac -i pipe:0 -f s16le pipe:1', file(flac)));
    const original = samplesIn(ffmpeg('-f flac -i pipe:0 -f s16le pipe:1', file(inOneGo.flac)));
    expect(decoded.length).toBe(total * frameSamples);
    expect(largestDifference(decoded, original)).toBeLessThanOrEqual(2);

    // The decoder gives one frame before the first presented one.
    const aacDecoded = samplesIn(ffmpeg('-f aac -i pipe:0 -f s16le pipe:1', Buffer.concat(aac.map(adts)))).subarray(
      frameSamples,
    );
    const differences = Array.from({ length: total - 2 }, (_, frame) => difference(aacDecoded, original, frame));
    const atJoints = differences.filter(
      (_, frame) => frame > 8 && [fragmentFrames - 1, 0].includes(frame % fragmentFrames),
    );
    expect(Math.max(...atJoints)).toBeLessThanOrEqual(Math.max(...differences.slice(8, fragmentFrames - 8)));
    expect(Math.max(...atJoints)).toBeLessThan(1_000);
  }, 60_000);

  test('is silent for exactly as long as packets are missing', async () => {
    const packets = await packetsOf(Buffer.from(madeUpAudio().buffer));
    const whole = await encodeAudio(packets, { firstFrame: 0, endSample: 80 * frameSamples }, encoder);
    const holed = await encodeAudio(
      packets.filter(({ start }) => start < 20_000 || start >= 50_000),
      { firstFrame: 0, endSample: 80 * frameSamples },
      encoder,
    );
    // In a fragment's index the packet before a hole lasts until the next one.
    const lasting = packets
      .filter(({ start }) => start < 20_000 || start >= 50_000)
      .map((packet, index, all) => ({
        ...packet,
        samples: (all[index + 1]?.start ?? packet.start + 960) - packet.start,
      }));
    const behind = await encodeAudio(lasting, { firstFrame: 45, endSample: 80 * frameSamples }, encoder);
    expect(behind.flac).toHaveLength(35);
    const decode = ({ flac }: EncodedAudio): Int16Array =>
      samplesIn(
        ffmpeg(
          '-f flac -i pipe:0 -f s16le pipe:1',
          Buffer.concat([flacHead({ samples: 80 * frameSamples, rate: audioRate, seekPoints: [] }, 1), ...flac]),
        ),
      );
    const [one, other] = [decode(whole), decode(holed)];
    const first = packets.findIndex(({ start }) => start >= 20_000);
    const last = packets.findIndex(({ start }) => start >= 50_000);
    const [from = 0, to = 0] = [packets[first]?.start, packets[last]?.start];
    expect(other.subarray(from, to).every((sample) => sample === 0)).toBe(true);
    expect(one.subarray(0, from)).toEqual(other.subarray(0, from));
    // An Opus decoder recovers soon after the hole.
    const later = to + 9_600;
    expect(largestDifference(one.subarray(later), other.subarray(later))).toBeLessThan(200);
  }, 60_000);

  test('is kept and read back, and a damaged piece is refused', async () => {
    const audio = await encodeAudio([], { firstFrame: 960, endSample: 970 * frameSamples + 5 }, encoder);
    const bytes = audioFragmentBytes(audio);
    expect(readAudioFragment(bytes)).toEqual(audio);
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8((flipped.readUInt8(200) + 1) % 256, 200);
    for (const damaged of [bytes.subarray(0, -1), flipped, Buffer.alloc(0)])
      expect(() => readAudioFragment(damaged)).toThrow();
    const numbers = [0, 127, 128, 2_047, 2_048, 65_535, 65_536, 2_000_000, 70_000_000];
    const [frame = Buffer.alloc(0)] = audio.flac;
    for (const number of numbers) {
      const numbered = numberedFlacFrame(frame, number);
      expect(numberedFlacFrame(numbered, 0).equals(frame)).toBe(true);
    }
    expect(() => splitFlac(Buffer.from('no FLAC'))).toThrow('cut or damaged');
  }, 60_000);
});
