import { runProgram } from '@rapporteur/process-identity';
import { drawMarker } from '@rapporteur/recording-check';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FragmentAssembler } from '@rapporteur/media-container';
import type { RecordingAttempt, StoredFragment } from '../index.ts';

const framesPerSecond = 25;
const usualSize = { width: 640, height: 360 };
const rate = 48_000;
const encodeDeadlineMs = 120_000;

/** A stretch of frames from one encoder. */
export interface VideoPart {
  readonly seconds: number;
  readonly preset?: 'ultrafast' | 'superfast';
  readonly profile?: 'baseline' | 'high';
  readonly size?: { readonly width: number; readonly height: number };
  readonly framesPerKey?: number;
}

/** An attempt's files as a runner leaves them, of a room whose clock began at epoch 0. No browser involved. */
export async function storeAttempt(
  folder: string,
  startedAtMs: number,
  seconds: number,
  preset: 'ultrafast' | 'superfast' = 'ultrafast',
): Promise<RecordingAttempt> {
  return storeAttemptOf(folder, startedAtMs, [{ seconds, preset }]);
}

/** The same with frames whose encoder changes. The recording has the usual size. */
export async function storeAttemptOf(
  folder: string,
  startedAtMs: number,
  parts: readonly VideoPart[],
): Promise<RecordingAttempt> {
  await mkdir(folder, { recursive: true });
  const init = join(folder, 'init.mp4');
  const fragments: StoredFragment[] = [];
  const writes: Promise<void>[] = [];
  const assembler = new FragmentAssembler({
    ...usualSize,
    withVideo: true,
    fragmentMs: 2_000,
    awaitsFirstFrame: () => false,
    onFrameLost: () => undefined,
    onInit: (bytes) => writes.push(writeFile(init, bytes)),
    onFragment: ({ sequence, startMs, endMs, bytes }) => {
      const path = join(folder, `${sequence}.m4s`);
      fragments.push({ path, sequence, startMs, endMs });
      writes.push(writeFile(path, bytes));
    },
  });
  const samples: TimedSample[] = [];
  let secondsBefore = 0;
  for (const [index, part] of parts.entries()) {
    const path = join(folder, `part-${index}.mp4`);
    await encodeFrames(path, startedAtMs + secondsBefore * 1_000, part);
    samples.push(...(await framesIn(path, secondsBefore * 1_000_000, assembler)));
    secondsBefore += part.seconds;
  }
  const audio = join(folder, 'sound.mp4');
  await encodeBeeps(audio, startedAtMs, secondsBefore);
  samples.push(...(await packetsIn(audio, assembler)));
  for (const sample of samples.toSorted((left, right) => left.timeUs - right.timeUs))
    if (sample.timeUs >= 0) sample.add();
  assembler.finish(secondsBefore * 1_000);
  await Promise.all(writes);
  return { init, fragments, startedAtMs };
}

interface TimedSample {
  readonly timeUs: number;
  add(): void;
}

async function framesIn(path: string, fromUs: number, assembler: FragmentAssembler): Promise<TimedSample[]> {
  const track = await new Input({ source: new FilePathSource(path), formats: ALL_FORMATS }).getPrimaryVideoTrack();
  if (!track) throw new Error('The made-up room has no video.');
  const avcC = new Uint8Array((await track.getDecoderConfig())?.description as Uint8Array);
  const samples: TimedSample[] = [];
  for await (const { microsecondTimestamp, type, data } of new EncodedPacketSink(track).packets()) {
    const timeUs = fromUs + microsecondTimestamp;
    const isFirst = samples.length === 0;
    const add = (): void => {
      if (isFirst) assembler.describe({ avcC });
      assembler.addVideo({ timeUs, key: type === 'key', bytes: data });
    };
    samples.push({ timeUs, add });
  }
  return samples;
}

async function packetsIn(path: string, assembler: FragmentAssembler): Promise<TimedSample[]> {
  const track = await new Input({ source: new FilePathSource(path), formats: ALL_FORMATS }).getPrimaryAudioTrack();
  if (!track) throw new Error('The made-up room has no audio.');
  const samples: TimedSample[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const { microsecondTimestamp: timeUs, microsecondDuration: durationUs, data } = packet;
    samples.push({ timeUs, add: () => assembler.addAudio({ timeUs, durationUs, bytes: data }) });
  }
  return samples;
}

async function encodeFrames(path: string, startedAtMs: number, part: VideoPart): Promise<void> {
  const { seconds, preset = 'ultrafast', profile = 'high', size = usualSize, framesPerKey = 45 } = part;
  const input = `-f rawvideo -pix_fmt gray -s ${size.width}x${size.height} -r ${framesPerSecond} -i pipe:0`;
  const output = `-pix_fmt yuv420p -c:v libx264 -preset ${preset} -profile:v ${profile} -g ${framesPerKey} -sc_threshold 0`;
  const firstFrame = Math.round((startedAtMs / 1_000) * framesPerSecond);
  function* frames(): Generator<Uint8Array> {
    for (let index = firstFrame; index < firstFrame + seconds * framesPerSecond; index += 1)
      yield drawMarker(size, { counter: index, participant: 1, flash: (index % framesPerSecond) * 40 < 100 }).pixels;
  }
  await encode([...input.split(' '), ...`${output} -bf 0 -crf 30`.split(' '), path], frames());
}

async function encodeBeeps(path: string, startedAtMs: number, seconds: number): Promise<void> {
  const samples = Buffer.alloc(seconds * rate * 2);
  for (let index = 0; index < seconds * rate; index += 1) {
    const beep = (startedAtMs + (index / rate) * 1_000) % 1_000 < 60;
    samples.writeInt16LE(beep ? Math.round(Math.sin((2 * Math.PI * 1_000 * index) / rate) * 8_000) : 0, index * 2);
  }
  const audio = `-f s16le -ar ${rate} -ac 1 -i pipe:0 -c:a libopus -b:a 48k`;
  await encode([...audio.split(' '), path], [samples]);
}

async function encode(options: readonly string[], input: Iterable<Uint8Array>): Promise<void> {
  const quiet = '-nostdin -y -loglevel error'.split(' ');
  await runProgram({ program: 'ffmpeg', arguments: [...quiet, ...options], deadlineMs: encodeDeadlineMs, input });
}
