import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkRecording, drawMarker } from './index.ts';

const framesPerSecond = 25;
const size = { width: 640, height: 360 };
const rate = 48_000;

interface Scene {
  readonly seconds: number;
  /** Room frame shown in each frame of the file; the file's own order and rate otherwise. */
  frameAt?(index: number): number;
  participantAt?(index: number): number;
  lateAudioMs?: number;
  /** These seconds are silent. */
  readonly silentSeconds?: readonly number[];
  /** Extra arguments that shape the file. */
  readonly filter?: string;
}

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-check-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Audio of a room: a beep on every second, and noise in place of speech in the first half of each. */
function roomAudio(scene: Scene): Buffer {
  const samples = Buffer.alloc(scene.seconds * rate * 2);
  let seed = 1;
  for (let index = 0; index < scene.seconds * rate; index += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const inSecondMs = ((index / rate) * 1_000 - (scene.lateAudioMs ?? 0) + 1_000_000) % 1_000;
    const beep = inSecondMs < 60 ? Math.sin((2 * Math.PI * 1_000 * index) / rate) * 0.25 : 0;
    const speech = inSecondMs < 500 ? (seed / 2_147_483_648 - 0.5) * 0.3 : 0;
    const gain = scene.silentSeconds?.includes(Math.floor(index / rate)) ? 0 : 1;
    samples.writeInt16LE(Math.round(gain * (beep + speech) * 32_767), index * 2);
  }
  return samples;
}

async function writeScene(name: string, scene: Scene): Promise<string> {
  const path = join(folder, `${name}.mp4`);
  const child = spawn(
    'ffmpeg',
    [
      ...'-nostdin -y -loglevel error -f rawvideo -pix_fmt gray'.split(' '),
      ...`-s ${size.width}x${size.height} -r ${framesPerSecond} -i pipe:3 -f s16le -ar ${rate} -ac 1 -i pipe:4`.split(
        ' ',
      ),
      '-vf',
      scene.filter ?? 'null',
      ...'-pix_fmt yuv420p -c:v libx264 -preset ultrafast -crf 30 -c:a aac -b:a 64k'.split(' '),
      path,
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] },
  );
  const [, , , frames, audio] = child.stdio as unknown as NodeJS.WritableStream[];
  audio?.end(roomAudio(scene));
  for (let index = 0; index < scene.seconds * framesPerSecond; index += 1) {
    const counter = scene.frameAt?.(index) ?? index;
    const participant = scene.participantAt?.(index) ?? 3;
    const frame = drawMarker(size, { counter, participant, flash: (counter % framesPerSecond) * 40 < 100 });
    if (frames?.write(frame.pixels) === false) await once(frames, 'drain');
  }
  frames?.end();
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  return path;
}

describe('checkRecording', () => {
  test('finds nothing wrong in a right recording, and reads its marker in every frame', async () => {
    const path = await writeScene('right', { seconds: 6 });
    const { report, problems } = await checkRecording(path, { ...size, frameShare: 0.99 });
    expect(problems).toEqual([]);
    expect(report.video).toMatchObject({ frames: 150, uniqueFrames: 150, markedFrames: 150, counterSkipped: 0 });
    expect(report.video?.participants).toEqual([{ atMs: 0, participant: 3 }]);
    expect(report.beeps?.found).toBe(6);
    expect(Math.abs(report.offset.medianMs ?? 999)).toBeLessThanOrEqual(5);
  });

  test('reads the marker of a video that was scaled and has borders', async () => {
    const filter = 'scale=960:540,pad=960:720:0:90';
    const path = await writeScene('borders', { seconds: 3, filter });
    const { report, problems } = await checkRecording(path, { width: 960, height: 720 });
    expect(problems).toEqual([]);
    expect(report.video?.markedFrames).toBe(75);
  });

  test('follows a video that moves between the areas it is given, and reads nothing in a plain one', async () => {
    const filter = "color=c=gray:s=1280x360:r=25[wall];[wall][in]overlay=x='if(lt(t,1.5),0,640)':shortest=1";
    const path = await writeScene('moving', { seconds: 3, filter });
    const frameArea = [0, 640].map((left) => ({ left, top: 0, ...size }));
    const { report, problems } = await checkRecording(path, {}, { frameArea });
    expect(problems).toEqual([]);
    expect(report.video).toMatchObject({ markedFrames: 75, uniqueFrames: 75, counterSkipped: 0 });
  });

  test('accepts the one step back at the end of the room loop', async () => {
    const path = await writeScene('loop', { seconds: 4, frameAt: (index) => (index + 1_450) % 1_500 });
    const { report, problems } = await checkRecording(path, { loopSeconds: 60 });
    expect(problems).toEqual([]);
    expect(report.video?.counterWraps).toBe(1);
  });

  test('finds a second that is missing', async () => {
    const path = await writeScene('missing-second', {
      seconds: 5,
      frameAt: (index) => (index < 60 ? index : index + 25),
    });
    const { report, problems } = await checkRecording(path);
    expect(report.video?.timeJumps).toEqual([{ atMs: 2_400, byMs: 1_000 }]);
    expect(problems.join('\n')).toMatch(/room time is missing/);
  });

  test('finds a second of frozen video', async () => {
    const path = await writeScene('frozen', {
      seconds: 5,
      frameAt: (index) => (index >= 49 && index < 76 ? 49 : index),
    });
    const { report, problems } = await checkRecording(path);
    expect(report.video?.frozenSeconds).toBe(1);
    expect(problems.join('\n')).toMatch(/Frozen seconds: 1/);
  });

  test('finds sound that is 200 ms late, and measures it', async () => {
    const path = await writeScene('late', { seconds: 5, lateAudioMs: 200 });
    const { report, problems } = await checkRecording(path);
    expect(Math.abs((report.offset.medianMs ?? 0) - 200)).toBeLessThanOrEqual(10);
    expect(problems.join('\n')).toMatch(/The audio is \d+ ms too late/);
  });

  test('finds frames in the wrong order', async () => {
    const path = await writeScene('swapped', {
      seconds: 3,
      frameAt: (index) => (index === 40 ? 41 : index === 41 ? 40 : index),
    });
    const { report, problems } = await checkRecording(path);
    expect(report.video?.stepsBack).toEqual([{ atMs: 1_640, byFrames: 1, participants: [3, 3] }]);
    expect(problems.join('\n')).toMatch(/counter went back/);
  });

  test.each([
    { back: 4, found: [] },
    { back: 5, found: [{ byFrames: 4, participants: [3, 4] }] },
  ])(
    'accepts a participant whose video is three frames later than the one before, and no more ($back)',
    async ({ back, found }) => {
      const path = await writeScene(`later-${back}`, {
        seconds: 3,
        frameAt: (index) => (index < 40 ? index : index - back),
        participantAt: (index) => (index < 40 ? 3 : 4),
      });
      const { report } = await checkRecording(path);
      expect(report.video?.stepsBack).toMatchObject(found);
      expect(report.video?.stepsBack).toHaveLength(found.length);
    },
  );

  test('finds seconds without video and without audio', async () => {
    const path = await writeScene('dark', {
      seconds: 4,
      silentSeconds: [1, 2],
      filter: "drawbox=c=black:t=fill:enable='between(t,1,2.99)'",
    });
    const { report, problems } = await checkRecording(path, { silenceMaxMs: 1_500 });
    expect(report.video?.blackSeconds).toBe(2);
    expect(problems.join('\n')).toMatch(/Black seconds: 2/);
    expect(problems.join('\n')).toMatch(/Flashes are missing in 2 of 3 seconds/);
    expect(problems.join('\n')).toMatch(/Beeps are missing in 2 of 4 seconds/);
    expect(problems.join('\n')).toMatch(/Silence from \d+ to 3000 ms/);
    // After the room's end no participant is shown.
    const ended = await checkRecording(path, { roomEndsAtMs: 1_000 });
    expect(ended.report.video).toMatchObject({ blackSeconds: 0, frozenSeconds: 0 });
  });

  test('finds where one frame is shown too long, until the room ends', async () => {
    const path = await writeScene('gap', { seconds: 4, filter: "select='lte(t,2.01)+gte(t,3.99)'" });
    const { report, problems } = await checkRecording(path);
    expect(report.video?.longestFrameGap).toEqual({ atMs: 2_000, lastedMs: 2_000 });
    expect(problems.join('\n')).toMatch(/Longest time of one frame \(ms\), from 2000 ms: 2000/);
    const ended = await checkRecording(path, { roomEndsAtMs: 2_500 });
    expect(ended.report.video).toMatchObject({
      longestFrameGap: { atMs: 2_000, lastedMs: 500 },
      longestStill: { atMs: 2_000, lastedMs: 500 },
    });
  });
});
