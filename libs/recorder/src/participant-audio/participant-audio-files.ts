import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  audioRate,
  samplesAt,
  bytesIn,
  participantPacketUs,
  oggOpus,
  opusStep,
  silence,
} from '@rapporteur/media-container';
import type { ParticipantRun, OpusPacket } from '@rapporteur/media-container';
import type { FragmentFile } from '../fragments/fragment-file.ts';
import { readBytes } from '../fragments/fragment-file.ts';

/** All audio of one of the platform's participants. */
export interface ParticipantAudio {
  readonly participantId: string;
  /** The last name in the page. */
  readonly participantName: string | null;
  readonly runs: readonly ParticipantAudioRun[];
}

/** Contiguous packets, and their positions. */
export interface ParticipantAudioRun extends ParticipantRun {
  readonly path: string;
  /** The position in the recording. */
  readonly startSample: number;
}

/** The runs of one fragment. @param offsetSample where its attempt begins in the recording */
export function audioRunsIn({ path, participantRuns }: FragmentFile, offsetSample: number): ParticipantAudioRun[] {
  return participantRuns.map((run) => ({ ...run, path, startSample: offsetSample + samplesAt(run.startUs / 1_000) }));
}

/** @param audioRuns those of all fragments, in order */
export function participantsOf(audioRuns: readonly ParticipantAudioRun[]): ParticipantAudio[] {
  return [...Map.groupBy(audioRuns, ({ participantId }) => participantId)].map(([participantId, runs]) => {
    const named = runs.findLast(({ participantName }) => participantName !== null);
    return { participantId, participantName: named?.participantName ?? null, runs };
  });
}

const packetSamples = samplesAt(participantPacketUs / 1_000);
/** Shorter pauses are part of the speech. */
const pauseMost = samplesAt(300);
/** Shorter audio is no speech. */
const speechLeast = samplesAt(100);

/** The runs of all participants, in order. */
function runsOf(audioRuns: readonly ParticipantAudio[]): ParticipantAudioRun[] {
  return audioRuns.flatMap(({ runs }) => runs).toSorted((one, other) => one.startSample - other.startSample);
}

/** The spans of speech, in ms of the recording. */
export function speechSpans(audioRuns: readonly ParticipantAudio[]): { startMs: number; endMs: number }[] {
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

/** The audio of single participants in a recording, and the inputs of their files. */
export interface RecordedParticipants {
  readonly ownAudio: readonly ParticipantAudio[];
  /** How long the recording is. */
  readonly samples: number;
  /** Samples that decoders give before the first real one. */
  readonly preSkip: number;
}

export interface ParticipantFileOptions {
  readonly path: string;
  /** More than one where a participant rejoined under another id of the platform. */
  readonly audioRuns: readonly ParticipantAudio[];
  readonly recording: Pick<RecordedParticipants, 'samples' | 'preSkip'>;
}

const writtenAtOnce = 262_144;

/**
 * Writes an Ogg Opus file as long as the recording with all audio of a participant, and silence between.
 * @throws Error when a fragment cannot be read any more: then the file is incomplete
 */
export async function writeParticipantFile({ path, audioRuns, recording }: ParticipantFileOptions): Promise<void> {
  const pages = oggOpus(placed(runsOf(audioRuns), recording.samples + recording.preSkip), recording);
  await pipeline(pages, createWriteStream(path, { mode: 0o600, highWaterMark: writtenAtOnce }));
}

/**
 * Places packets by time, 1.25 ms off at most, with silence between them and up to the end. Overlapping packets are
 * left out.
 */
async function* placed(runs: readonly ParticipantAudioRun[], samples: number): AsyncGenerator<readonly OpusPacket[]> {
  let end = 0;
  for (const run of runs) {
    await using file = await open(run.path, 'r');
    const bytes = await readBytes(file, run.dataAt, bytesIn(run.sizes));
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
