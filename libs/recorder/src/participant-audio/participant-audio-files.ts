import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FragmentFile } from '../fragments/fragment-file.ts';
import { readBytes } from '../fragments/fragment-file.ts';
import { OggOpusWriter, opusRate, opusStep } from './ogg-opus.ts';

/** All that was heard of one of the platform's participants. */
export interface ParticipantAudio {
  readonly participantId: string;
  /** As the page had it last. */
  readonly participantName: string | null;
  readonly runs: readonly ParticipantAudioRun[];
}

/** Packets that follow on each other, where they are. */
export interface ParticipantAudioRun {
  readonly path: string;
  readonly dataAt: number;
  readonly sizes: Uint16Array;
  /** How many of them are spoken, how many then are not, and so on. */
  readonly turns: readonly number[];
  /** Of the recording. */
  readonly startSample: number;
  readonly packetSamples: number;
}

/** Whose audio is where, of fragments that come in order: some two bytes for a packet. */
export class ParticipantAudioFiles {
  readonly #participants = new Map<string, { name: string | null; runs: ParticipantAudioRun[] }>();

  add({ path, speechLevels }: FragmentFile, offsetSample: number): void {
    for (const { participantId, participantName, startUs, packetUs, sizes, turns, dataAt } of speechLevels) {
      const startSample = offsetSample + samplesIn(startUs);
      const packetSamples = samplesIn(packetUs);
      if (packetSamples < opusStep || sizes.length === 0) continue;
      const participant = this.#participants.get(participantId) ?? { name: null, runs: [] };
      this.#participants.set(participantId, participant);
      participant.name = participantName ?? participant.name;
      participant.runs.push({
        path,
        dataAt,
        sizes: Uint16Array.from(sizes),
        turns,
        startSample,
        packetSamples,
      });
    }
  }

  all(): ParticipantAudio[] {
    return [...this.#participants].map(([participantId, { name, runs }]) => ({
      participantId,
      participantName: name,
      runs,
    }));
  }
}

function samplesIn(us: number): number {
  return Math.round((us * opusRate) / 1_000_000);
}

/** In order, whoever's they are. */
function runsOf(audioRuns: readonly ParticipantAudio[]): ParticipantAudioRun[] {
  return audioRuns.flatMap(({ runs }) => runs).toSorted((one, other) => one.startSample - other.startSample);
}

/** Shorter pauses belong to what is said. */
const pauseMost = (opusRate * 300) / 1_000;
/** What is shorter is no speech. */
const speechLeast = (opusRate * 100) / 1_000;

/** When somebody spoke, in ms of the recording. */
export function heardSpans(audioRuns: readonly ParticipantAudio[]): { startMs: number; endMs: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of runsOf(audioRuns).flatMap(spokenIn)) {
    const last = spans.at(-1);
    if (last && start - last.end <= pauseMost) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  const inMs = (samples: number): number => Math.round((samples * 1_000) / opusRate);
  return spans
    .filter(({ start, end }) => end - start >= speechLeast)
    .map(({ start, end }) => ({ startMs: inMs(start), endMs: inMs(end) }));
}

function spokenIn({ startSample, packetSamples, sizes, turns }: ParticipantAudioRun): { start: number; end: number }[] {
  const endSample = startSample + sizes.length * packetSamples;
  let at = startSample;
  return turns.flatMap((packets, index) => {
    const start = at;
    at += packets * packetSamples;
    const end = Math.min(at, endSample);
    return index % 2 === 0 && end > start ? [{ start, end }] : [];
  });
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
  const { samples, preSkip } = recording;
  const part = `${path}.part`;
  const file = await open(part, 'w', 0o600);
  const reader = new RunReader();
  try {
    const writer = new OggOpusWriter(preSkip);
    let waiting: Buffer[] = [writer.begin()];
    const write = async (least: number): Promise<void> => {
      if (waiting.reduce((sum, { length }) => sum + length, 0) < least) return;
      await file.appendFile(Buffer.concat(waiting));
      waiting = [];
    };
    for (const run of runsOf(audioRuns)) {
      waiting.push(...placed(writer, run, await reader.read(run)));
      await write(writtenAtOnce);
    }
    const endsAt = Math.ceil((samples + preSkip) / opusStep) * opusStep;
    waiting.push(...writer.addSilence(Math.max(0, endsAt - writer.samples)), writer.finish(samples));
    await write(0);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await reader.close();
    await file.close();
  }
  await rename(part, path);
}

/** Puts packets where they belong, 1.25 ms off at most. What overlaps with what is there is left out. */
function placed(writer: OggOpusWriter, run: ParticipantAudioRun, bytes: Buffer): Buffer[] {
  const pages: Buffer[] = [];
  let position = Math.round(run.startSample / opusStep) * opusStep;
  let at = 0;
  for (const size of run.sizes) {
    if (position >= writer.samples) {
      pages.push(...writer.addSilence(position - writer.samples));
      pages.push(...writer.add(bytes.subarray(at, at + size), run.packetSamples));
    }
    at += size;
    position += run.packetSamples;
  }
  return pages;
}

/** Runs of one fragment are read one after the other. */
class RunReader {
  #open: { readonly path: string; readonly file: FileHandle } | null = null;

  async read({ path, dataAt, sizes }: ParticipantAudioRun): Promise<Buffer> {
    if (this.#open?.path !== path) {
      await this.close();
      this.#open = { path, file: await open(path, 'r') };
    }
    return await readBytes(
      this.#open.file,
      dataAt,
      sizes.reduce((sum, size) => sum + size, 0),
    );
  }

  async close(): Promise<void> {
    await this.#open?.file.close();
    this.#open = null;
  }
}
