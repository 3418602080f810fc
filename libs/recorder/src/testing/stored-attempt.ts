import { drawMarker } from '@rapporteur/recording-check';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { FragmentAssembler } from '../fragments/fragment-assembler.ts';
import type { RecordingAttempt, StoredFragment } from '../index.ts';

const framesPerSecond = 25;
const size = { width: 640, height: 360 };
const rate = 48_000;

/** An attempt's files as a runner would have left them, of a room whose clock began at epoch 0. No browser involved. */
export async function storeAttempt(
  folder: string,
  startedAtMs: number,
  seconds: number,
  preset: 'ultrafast' | 'superfast' = 'ultrafast',
): Promise<RecordingAttempt> {
  await mkdir(folder, { recursive: true });
  const source = join(folder, 'source.mp4');
  await encodeRoom(source, startedAtMs, seconds, preset);
  const init = join(folder, 'init.mp4');
  const fragments: StoredFragment[] = [];
  const writes: Promise<void>[] = [];
  const assembler = new FragmentAssembler({
    ...size,
    withPicture: true,
    fragmentMs: 2_000,
    onPictureLost: () => undefined,
    onInit: (bytes) => writes.push(writeFile(init, bytes)),
    onFragment: ({ sequence, startMs, endMs, bytes }) => {
      const path = join(folder, `${sequence}.m4s`);
      fragments.push({ path, sequence, startMs, endMs });
      writes.push(writeFile(path, bytes));
    },
  });
  await feed(source, assembler);
  assembler.finish(seconds * 1_000);
  await Promise.all(writes);
  return { init, fragments, startedAtMs };
}

async function feed(source: string, assembler: FragmentAssembler): Promise<void> {
  const input = new Input({ source: new FilePathSource(source), formats: ALL_FORMATS });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (!video || !audio) throw new Error('The made-up room has no picture or no sound.');
  const description = (await video.getDecoderConfig())?.description as Uint8Array;
  assembler.describe({ avcC: new Uint8Array(description) });
  const samples: { timeUs: number; add: () => void }[] = [];
  for await (const { microsecondTimestamp: timeUs, type, data } of new EncodedPacketSink(video).packets()) {
    samples.push({ timeUs, add: () => assembler.addVideo({ timeUs, key: type === 'key', bytes: data }) });
  }
  for await (const packet of new EncodedPacketSink(audio).packets()) {
    const { microsecondTimestamp: timeUs, microsecondDuration: durationUs, data } = packet;
    samples.push({ timeUs, add: () => assembler.addAudio({ timeUs, durationUs, bytes: data }) });
  }
  for (const sample of samples.toSorted((left, right) => left.timeUs - right.timeUs))
    if (sample.timeUs >= 0) sample.add();
}

async function encodeRoom(path: string, startedAtMs: number, seconds: number, preset: string): Promise<void> {
  const child = spawn(
    'ffmpeg',
    [
      ...'-nostdin -y -loglevel error -f rawvideo -pix_fmt gray'.split(' '),
      ...`-s ${size.width}x${size.height} -r ${framesPerSecond} -i pipe:3 -f s16le -ar ${rate} -ac 1 -i pipe:4`.split(
        ' ',
      ),
      ...`-pix_fmt yuv420p -c:v libx264 -preset ${preset} -g 45 -bf 0 -crf 30 -c:a libopus -b:a 48k`.split(' '),
      path,
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] },
  );
  const [pictures, sound] = child.stdio.slice(3) as unknown as [Writable, Writable];
  const firstFrame = Math.round((startedAtMs / 1_000) * framesPerSecond);
  const samples = Buffer.alloc(seconds * rate * 2);
  for (let index = 0; index < seconds * rate; index += 1) {
    const beep = (startedAtMs + (index / rate) * 1_000) % 1_000 < 60;
    samples.writeInt16LE(beep ? Math.round(Math.sin((2 * Math.PI * 1_000 * index) / rate) * 8_000) : 0, index * 2);
  }
  sound.end(samples);
  for (let index = firstFrame; index < firstFrame + seconds * framesPerSecond; index += 1) {
    const frame = drawMarker(size, { counter: index, person: 1, flash: (index % framesPerSecond) * 40 < 100 });
    if (!pictures.write(frame.pixels)) await once(pictures, 'drain');
  }
  pictures.end();
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
}
