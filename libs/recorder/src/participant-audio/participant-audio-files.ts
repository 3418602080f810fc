import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { audioRate, samplesAt } from '../audio/audio-grid.ts';
import type { FragmentFile } from '../fragments/fragment-file.ts';
import { readBytes } from '../fragments/fragment-file.ts';
import { bytesIn, participantPacketUs } from '../fragments/participant-box.ts';
import type { ParticipantRun } from '../fragments/participant-box.ts';
import { oggOpus, opusStep, silence } from './ogg-opus.ts';
import type { OpusPacket } from './ogg-opus.ts';

/** All that was heard of one of the platform's participants. */
export interface ParticipantAudio {
  readonly participantId: string;
  /** As the page had it last. */
  readonly participantName: string | null;
  readonly runs: readonly ParticipantAudioRun[];
}

/** Packets that follow on each other, and where they are. */
export interface ParticipantAudioRun extends ParticipantRun {
  readonly path: string;
  /** Of the recording. */
  readonly startSample: number;
}

/** Whose audio is where, of fragments that come in order: some two bytes for a packet. */
export class ParticipantAudioFiles {
  readonly #runs: ParticipantAudioRun[] = [];

  add({ path, speechLevels }: FragmentFile, offsetSample: number): void {
    for (const run of speechLevels)
      this.#runs.push({ ...run, path, startSample: offsetSample + samplesAt(run.startUs / 1_000) });
  }

  all(): ParticipantAudio[] {
    return [...Map.groupBy(this.#runs, ({ participantId }) => participantId)].map(([participantId, runs]) => {
      const named = runs.findLast(({ participantName }) => participantName !== null);
      return { participantId, participantName: named?.participantName ?? null, runs };
    });
  }
}

const packetSamples = samplesAt(participantPacketUs / 1_000);
/** Shorter pauses belong to what is said. */
const pauseMost = samplesAt(300);
/** What is shorter is no speech. */
const speechLeast = samplesAt(100);

/** In order, whoever's they are. */
function runsOf(audioRuns: readonly ParticipantAudio[]): ParticipantAudioRun[] {
  return audioRuns.flatMap(({ runs }) => runs).toSorted((one, other) => one.startSample - other.startSample);
}

/** When somebody spoke, in ms of the recording. */
export function heardSpans(audioRuns: readonly ParticipantAudio[]): { startMs: number; endMs: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { startSample, sizes } of runsOf(audioRuns))
    for (const [index, size] of sizes.entries()) {
      if (size < 0) continue;
      const start = startSample + index * packetSamples;
      const last = spans.at(-1);
      if (last && start - last.end <= pauseMost) last.end = Math.max(last.end, start + packetSamples);
      else spans.push({ start, end: start + packetSamples });
    }
  const inMs = (samples: number): number => Math.round((samples * 1_000) / audioRate);
  return spans
    .filter(({ start, end }) => end - start >= speechLeast)
    .map(({ start, end }) => ({ startMs: inMs(start), endMs: inMs(end) }));
}

/** What a recording holds of single participants, and what their files need to know of it. */
export interface RecordedParticipants {
  readonly heard: readonly ParticipantAudio[];
  /** How long the recording is. */
  readonly samples: number;
  /** What decoders give before the first real sample. */
  readonly preSkip: number;
}

export interface ParticipantFileOptions {
  readonly path: string;
  /** More than one where somebody left and came back as another of the platform's participants. */
  readonly audioRuns: readonly ParticipantAudio[];
  readonly recording: Pick<RecordedParticipants, 'samples' | 'preSkip'>;
}

const writtenAtOnce = 262_144;

/**
 * An Ogg Opus file as long as the recording with all that was heard of somebody, silent where nothing was. It is there under
 * its name only when it is whole.
 * @throws Error when a fragment can't be read any more
 */
export async function writeParticipantFile({ path, audioRuns, recording }: ParticipantFileOptions): Promise<void> {
  const part = `${path}.part`;
  const pages = oggOpus(placed(runsOf(audioRuns), recording.samples + recording.preSkip), recording);
  try {
    await pipeline(pages, createWriteStream(part, { mode: 0o600, highWaterMark: writtenAtOnce }));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await rename(part, path);
}

/** Puts packets where they belong, 1.25 ms off at most, and silence between them and up to the end. What overlaps with what is there is left out. */
async function* placed(runs: readonly ParticipantAudioRun[], samples: number): AsyncGenerator<readonly OpusPacket[]> {
  let end = 0;
  for (const run of runs) {
    const bytes = await bytesOf(run);
    let position = Math.round(run.startSample / opusStep) * opusStep;
    let at = 0;
    const packets: OpusPacket[] = [];
    for (const size of run.sizes) {
      const packet = bytes.subarray(at, (at += Math.abs(size)));
      if (position >= end) {
        packets.push(...silence(position - end), { bytes: packet, samples: packetSamples });
        end = position + packetSamples;
      }
      position += packetSamples;
    }
    yield packets;
  }
  yield silence(Math.max(0, Math.ceil(samples / opusStep) * opusStep - end));
}

async function bytesOf({ path, dataAt, sizes }: ParticipantAudioRun): Promise<Buffer> {
  await using file = await open(path, 'r');
  return await readBytes(file, dataAt, bytesIn(sizes));
}
