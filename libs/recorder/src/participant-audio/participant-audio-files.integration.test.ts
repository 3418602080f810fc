import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EncodedPacketSink, FilePathSource, Input, OGG } from 'mediabunny';
import { FragmentAssembler } from '@rapporteur/media-container';
import { readFragmentFile } from '../fragments/fragment-file.ts';
import { finalizeRecording, startIncrementalArtifacts, speechSpans, writeParticipantFile } from '../index.ts';
import type { ParticipantAudio, RecordedParticipants, RecordingAttempt, StoredFragment } from '../index.ts';

const rate = 48_000;
const run = promisify(execFile);
let folder = '';
let tone: Uint8Array[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'persons-'));
  const path = join(folder, 'tone.ogg');
  const options = '-v error -f lavfi -i sine=440:r=48000:d=20 -ac 1 -c:a libopus -b:a 32k -frame_duration 20';
  await run('ffmpeg', [...options.split(' '), path]);
  const track = await new Input({ source: new FilePathSource(path), formats: [OGG] }).getPrimaryAudioTrack();
  const packets: Uint8Array[] = [];
  if (track) for await (const { data } of new EncodedPacketSink(track).packets()) packets.push(data);
  // Its beginning is soft.
  tone = packets.slice(50);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Spoken {
  readonly who: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The first 200 ms and the last 500 ms are padding. */
const isSpokenAt = (timeUs: number, fromMs: number, toMs: number): boolean =>
  timeUs >= (fromMs + 200) * 1_000 && timeUs < (toMs - 500) * 1_000;

/** An attempt whose mix is a tone, with the audio of participants. */
async function storeTalk(name: string, startedAtMs: number, seconds: number, spoken: readonly Spoken[]) {
  const own = join(folder, name);
  await mkdir(own, { recursive: true });
  const init = join(own, 'init.mp4');
  const fragments: StoredFragment[] = [];
  const writes: Promise<void>[] = [];
  const assembler = new FragmentAssembler({
    withVideo: false,
    width: 640,
    height: 360,
    fragmentMs: 2_000,
    awaitsFirstFrame: () => false,
    onFrameLost: () => undefined,
    onInit: (bytes) => writes.push(writeFile(init, bytes)),
    onFragment: ({ sequence, startMs, endMs, bytes }) => {
      const path = join(own, `${sequence}.m4s`);
      fragments.push({ path, sequence, startMs, endMs });
      writes.push(writeFile(path, bytes));
    },
  });
  const durationUs = 20_000;
  for (let packet = 0; packet < seconds * 50; packet += 1) {
    const timeUs = packet * durationUs;
    const bytes = tone[packet % tone.length]!;
    for (const { who, fromMs, toMs } of spoken)
      if (timeUs >= fromMs * 1_000 && timeUs < toMs * 1_000)
        assembler.addParticipantPacket({
          participantId: who,
          participantName: who.toUpperCase(),
          timeUs,
          isSpoken: isSpokenAt(timeUs, fromMs, toMs),
          bytes,
        });
    assembler.addAudio({ timeUs, durationUs, bytes });
  }
  assembler.finish(seconds * 1_000);
  await Promise.all(writes);
  return { init, fragments, startedAtMs } satisfies RecordingAttempt;
}

const finalize = async (attempts: readonly RecordingAttempt[], more: object = {}) =>
  await finalizeRecording({
    attempts,
    workFolder: join(folder, 'artifacts'),
    ffmpegPath: 'ffmpeg',
    mode: 'audio_only',
    ...more,
  });

async function fileOf(recording: RecordedParticipants, audioRuns: readonly ParticipantAudio[], name = 'person.ogg') {
  const path = join(folder, name);
  await writeParticipantFile({ path, audioRuns, recording });
  return path;
}

/** Audible spans in ms, and the total length, as decoded with one of ffmpeg's decoders. */
async function speechIn(path: string, decoder: 'opus' | 'libopus' = 'opus') {
  const args = ['-v', 'error', '-c:a', decoder, '-i', path, '-ac', '1', '-ar', String(rate), '-f', 'f32le', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 512 * 1024 * 1024 });
  const samples = new Float32Array(stdout.buffer, stdout.byteOffset, stdout.length / 4);
  const spans: [number, number][] = [];
  for (let at = 0; at + 240 <= samples.length; at += 240) {
    const isAudible = samples.subarray(at, at + 240).some((sample) => Math.abs(sample) > 0.01);
    const ms = at / 48;
    const last = spans.at(-1);
    if (!isAudible) continue;
    if (last && ms - last[1] <= 5) last[1] = ms + 5;
    else spans.push([ms, ms + 5]);
  }
  return { spans, samples: samples.length };
}

const near = (spans: readonly (readonly number[])[], wanted: readonly (readonly number[])[], withinMs = 20): void => {
  expect(spans).toHaveLength(wanted.length);
  spans.forEach((span, index) =>
    span.forEach((ms, edge) => expect(Math.abs(ms - (wanted[index]?.[edge] ?? 0))).toBeLessThanOrEqual(withinMs)),
  );
};

describe('the file of a person', () => {
  test.each(['opus', 'libopus'] as const)(
    'is as long as the recording and silent where they were (%s)',
    async (decoder) => {
      const attempt = await storeTalk('one', 0, 9, [
        { who: 'ann', fromMs: 1_000, toMs: 3_500 },
        { who: 'bob', fromMs: 3_000, toMs: 5_000 },
        { who: 'ann', fromMs: 8_000, toMs: 8_500 },
      ]);
      const { recordedParticipants, durationMs } = await finalize([attempt]);
      const [ann, bob] = recordedParticipants.ownAudio;
      expect([ann?.participantName, bob?.participantName, recordedParticipants.ownAudio.length]).toEqual([
        'ANN',
        'BOB',
        2,
      ]);
      const own = await speechIn(await fileOf(recordedParticipants, [ann!]), decoder);
      expect(own.samples).toBe((durationMs * rate) / 1_000);
      near(own.spans, [
        [1_000, 3_500],
        [8_000, 8_500],
      ]);
      near((await speechIn(await fileOf(recordedParticipants, [bob!]), decoder)).spans, [[3_000, 5_000]]);
    },
  );

  test('is the same whether it is made of the fragments or of what grew with the meeting', async () => {
    const attempt = await storeTalk('grown', 0, 7, [{ who: 'ann', fromMs: 1_000, toMs: 6_500 }]);
    const incremental = startIncrementalArtifacts({
      init: attempt.init,
      mode: 'audio_only',
      workFolder: join(folder, 'growing'),
      ffmpegPath: 'ffmpeg',
      audioFragmentPath: (index) => join(folder, `piece-${index}`),
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      onPart: () => undefined,
    });
    for (const fragment of attempt.fragments) incremental.add(fragment);
    const finished = await incremental.finish({ attempts: [{ startedAtMs: 0 }] });
    const first = await readFile(await fileOf(finished.recordedParticipants, finished.recordedParticipants.ownAudio));
    await incremental.close();
    const { recordedParticipants } = await finalize([attempt]);
    expect((await readFile(await fileOf(recordedParticipants, recordedParticipants.ownAudio))).equals(first)).toBe(
      true,
    );
  });

  test('goes on in the next attempt, also as another person of the platform, and lacks what was lost', async () => {
    const first = await storeTalk('before', 0, 6, [{ who: 'ann', fromMs: 1_000, toMs: 6_000 }]);
    const second = await storeTalk('after', 9_000, 4, [{ who: 'ann-again', fromMs: 1_000, toMs: 2_000 }]);
    const lost = { ...first, fragments: first.fragments.filter(({ sequence }) => sequence !== 2) };
    const { recordedParticipants, durationMs } = await finalize([lost, second]);
    const file = await speechIn(await fileOf(recordedParticipants, recordedParticipants.ownAudio));
    expect(Math.abs(file.samples / 48 - durationMs)).toBeLessThan(1);
    near(file.spans, [
      [1_000, 2_000],
      [4_000, 6_000],
      [10_000, 11_000],
    ]);
  });

  test('gives the times of speech without the margins before and after', async () => {
    const attempt = await storeTalk('spans', 0, 6, [
      { who: 'ann', fromMs: 1_000, toMs: 3_000 },
      { who: 'ann', fromMs: 4_000, toMs: 5_000 },
    ]);
    const { recordedParticipants } = await finalize([attempt]);
    expect(speechSpans(recordedParticipants.ownAudio)).toEqual([
      { startMs: 1_200, endMs: 2_500 },
      { startMs: 4_200, endMs: 4_500 },
    ]);
  });

  test('costs little where nothing is said', async () => {
    const attempt = await storeTalk('hour', 0, 4, [{ who: 'ann', fromMs: 1_000, toMs: 2_000 }]);
    const { recordedParticipants } = await finalize([attempt]);
    const hour = await fileOf({ ...recordedParticipants, samples: 3_600 * rate }, recordedParticipants.ownAudio);
    expect((await stat(hour)).size).toBeLessThan(550_000);
    const { stdout } = await run('ffmpeg', ['-hide_banner', '-i', hour, '-f', 'null', '-'], { encoding: 'utf8' }).then(
      ({ stderr }) => ({ stdout: stderr }),
    );
    expect(stdout).toContain('time=01:00:00.00');
  });

  test('is absent without a track per participant, and the report says why', async () => {
    const attempt = await storeTalk('mixed', 0, 4, []);
    const { recordedParticipants, integrity } = await finalize([attempt], { participantAudio: false });
    expect([recordedParticipants.ownAudio, integrity.participantAudio.state]).toEqual([[], 'off']);
    expect((await finalize([attempt])).integrity.participantAudio.state).toBe(null);
  });
});

describe('what a fragment holds of single people', () => {
  test('does not affect the recording when it is damaged', async () => {
    const attempt = await storeTalk('damaged', 0, 4, [{ who: 'ann', fromMs: 500, toMs: 1_500 }]);
    const [first] = attempt.fragments;
    const bytes = await readFile(first!.path);
    const at = bytes.indexOf('"version"');
    bytes.write('!', at);
    await writeFile(first!.path, bytes);
    const read = await readFragmentFile(first!.path);
    expect([read.participantRuns, read.audio?.samples]).toEqual([[], 100]);
    expect((await finalize([attempt])).integrity.gaps).toEqual([]);
  });
});
