import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { videoTrack, mediaFragment, syncFlags } from '@rapporteur/media-container';
import type { AudioSample, VideoSample } from '@rapporteur/media-container';
import { readFragmentFile } from '../fragments/fragment-file.ts';
import type { RecordingAttempt, StoredFragment } from '../index.ts';
import { storeAttempt } from './stored-attempt.ts';

const loopSeconds = 20;
const packetUs = 20_000;
const run = promisify(execFile);

/**
 * A recording of any length without a meeting: the same twenty seconds repeated, padded to the bytes of a meeting's
 * video, with audio that is as hard to encode as speech.
 */
export async function storeLongAttempt(
  folder: string,
  { minutes, bytesPerSecond }: { readonly minutes: number; readonly bytesPerSecond: number },
): Promise<RecordingAttempt> {
  const loop = await storeAttempt(join(folder, 'loop'), 0, loopSeconds);
  const audio = await noisePackets();
  const frames = await Promise.all(loop.fragments.map(({ path }) => videosOf(path, bytesPerSecond)));
  await mkdir(join(folder, 'segments'), { recursive: true });
  const fragments: StoredFragment[] = [];
  for (let turn = 0; turn < (minutes * 60) / loopSeconds; turn += 1) {
    const byUs = turn * loopSeconds * 1_000_000;
    for (const [index, { startMs, endMs }] of loop.fragments.entries()) {
      const sequence = fragments.length + 1;
      const path = join(folder, 'segments', `${sequence}.m4s`);
      const within = audio.filter(({ timeUs }) => timeUs >= startMs * 1_000 && timeUs < endMs * 1_000);
      const bytes = mediaFragment({
        sequence,
        video: moved(frames[index] ?? [], byUs),
        audio: moved(within, byUs),
        endUs: endMs * 1_000 + byUs,
      });
      await writeFile(path, bytes);
      fragments.push({ path, sequence, startMs: startMs + byUs / 1_000, endMs: endMs + byUs / 1_000 });
    }
  }
  return { init: loop.init, fragments, startedAtMs: 0 };
}

function moved<T extends { readonly timeUs: number }>(samples: readonly T[], byUs: number): T[] {
  return samples.map((sample) => ({ ...sample, timeUs: sample.timeUs + byUs }));
}

async function videosOf(path: string, bytesPerSecond: number): Promise<VideoSample[]> {
  const [file, bytes] = [await readFragmentFile(path), await readFile(path)];
  if (!file.video) return [];
  let { startTicks: ticks, dataAt: at } = file.video;
  return file.video.entries.map((entry) => {
    const video = bytes.subarray(at, at + entry.size);
    const timeUs = (ticks * 1_000_000) / videoTrack.timescale;
    const wanted = Math.round((bytesPerSecond * entry.ticks) / videoTrack.timescale);
    at += entry.size;
    ticks += entry.ticks;
    return { timeUs, key: entry.flags === syncFlags, bytes: Buffer.concat([video, filler(wanted - entry.size)]) };
  });
}

/** A unit that a decoder passes over (H.264, type 12). */
function filler(bytes: number): Buffer {
  if (bytes < 8) return Buffer.alloc(0);
  const unit = Buffer.alloc(bytes, 0xff);
  unit.writeUInt32BE(bytes - 4, 0);
  unit.writeUInt8(12, 4);
  unit.writeUInt8(0x80, bytes - 1);
  return unit;
}

async function noisePackets(): Promise<AudioSample[]> {
  const tone = `anoisesrc=color=pink:amplitude=0.2:seed=5:duration=${loopSeconds}:sample_rate=48000,tremolo=f=4:d=0.9`;
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-f', 'lavfi', '-i', tone, ...'-ac 1 -c:a libopus -b:a 64k -f ogg pipe:1'.split(' ')],
    { encoding: 'buffer', maxBuffer: 2 ** 26 },
  );
  const input = new Input({ source: new BufferSource(stdout), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('The made-up audio cannot be read.');
  const packets: AudioSample[] = [];
  for await (const { data } of new EncodedPacketSink(track).packets())
    packets.push({ timeUs: packets.length * packetUs, durationUs: packetUs, bytes: data });
  return packets;
}
