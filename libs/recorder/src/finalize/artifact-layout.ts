import { parameterSetBytes } from '../fragments/parameter-sets.ts';
import { audioTrack, videoTrack } from '../fragments/init-segment.ts';
import { syncFlags } from '../fragments/media-fragment.ts';
import type { TrackRun } from '../fragments/media-fragment.ts';
import type { PictureDescription } from '../fragments/track-box.ts';
import type { SoundFrames } from '../sound/joined-sound.ts';
import { frameSamples, pieceFrames, soundRate } from '../sound/sound-grid.ts';
import type { ByteSpan } from './byte-span.ts';
import { FlacLayout } from './flac-layout.ts';
import { MovieLayout } from './movie-layout.ts';
import type { Spool } from './spool.ts';
import type { TableSample } from './sample-table.ts';

export type ArtifactName = 'video' | 'audio';

export interface LayoutOptions {
  /** Null for a recording without a picture: then there is no movie. */
  readonly picture: PictureDescription | null;
  readonly spool: Spool;
  /** Pictures from here on are left out. */
  readonly limitSample?: number;
  /** What the artifacts are made of, in order, without their beginnings. */
  append(name: ArtifactName, spans: readonly ByteSpan[]): void;
}

/** Pictures of one fragment, where they belong. */
export interface PlacedPictures {
  readonly path: string;
  readonly run: TrackRun;
  /** Where the attempt begins, in sound frames of the recording. */
  readonly offsetFrame: number;
  /** What their decoder must be told first, where it is not what the movie says. */
  readonly otherAvcC: Uint8Array | null;
}

interface WaitingPictures {
  readonly untilSample: number;
  readonly samples: readonly TableSample[];
  readonly spans: readonly ByteSpan[];
}

/** Beginnings are filled up to whole blocks, which a file system can put in front of what is there already. */
const headMultiple = 4_096;
const pictureTicksPerSample = videoTrack.timescale / soundRate;
/** Sound that no picture goes with waits no longer than this for one. */
const lonelyFrames = 2 * pieceFrames;

/** Lays pictures and sound out side by side, as they come: what was laid out stays where it is. */
export class ArtifactLayout {
  readonly #options: LayoutOptions;
  readonly #movie: MovieLayout | null;
  readonly #flac: FlacLayout;
  #pictures: WaitingPictures[] = [];
  #sound: { sizes: number[]; span: Extract<ByteSpan, { path: string }> }[] = [];
  #laidFrames = 0;
  #keptFrames = 0;

  constructor(options: LayoutOptions) {
    this.#options = options;
    const { picture, append } = options;
    this.#movie = picture && new MovieLayout(picture, (spans) => append('video', spans));
    this.#flac = new FlacLayout((spans) => append('audio', spans));
  }

  /** What it remembers of everything so far. */
  get memoryBytes(): number {
    return (this.#movie?.memoryBytes ?? 0) + this.#flac.memoryBytes;
  }

  addPictures(placed: PlacedPictures): void {
    if (this.#movie === null) return;
    const offsetTicks = Math.round(placed.offsetFrame * frameSamples * pictureTicksPerSample);
    const limitTicks = (this.#options.limitSample ?? Infinity) * pictureTicksPerSample;
    const { samples, spans, endTicks } = laidOut(placed, offsetTicks, limitTicks);
    if (samples.length > 0) this.#pictures.push({ samples, spans, untilSample: endTicks / pictureTicksPerSample });
  }

  async addSound({ aac, flac }: SoundFrames): Promise<void> {
    const sizes = (frames: readonly Buffer[]): number[] => frames.map((frame) => frame.length);
    if (flac.length > 0) this.#flac.add(sizes(flac), await this.#options.spool.keep(flac));
    if (this.#movie === null || aac.length === 0) return;
    this.#sound.push({ sizes: sizes(aac), span: await this.#options.spool.keep(aac) });
    this.#keptFrames += aac.length;
    // The first frame only gets the decoder going.
    const heardSample = (this.#keptFrames - 1) * frameSamples;
    this.#layWhile((pictures) => pictures.untilSample <= heardSample);
    if (this.#pictures.length === 0 && this.#keptFrames - this.#laidFrames > lonelyFrames) this.#laySound(Infinity);
  }

  /** The artifacts' beginnings, once everything is there. @param samples how long the recording is */
  finish(samples: number): { readonly name: ArtifactName; readonly head: Buffer; readonly bytes: number }[] {
    this.#layWhile(() => true);
    this.#laySound(Infinity);
    const artifact = (name: ArtifactName, layout: MovieLayout | FlacLayout) => {
      const head = layout.head(samples, headMultiple);
      return { name, head, bytes: head.length + layout.bytes };
    };
    return [...(this.#movie ? [artifact('video', this.#movie)] : []), artifact('audio', this.#flac)];
  }

  #layWhile(isDue: (pictures: WaitingPictures) => boolean): void {
    for (let next = this.#pictures[0]; next && isDue(next); next = this.#pictures[0]) {
      this.#pictures.shift();
      this.#movie?.addPictures(next.samples, next.spans);
      this.#laySound(Math.ceil(next.untilSample / frameSamples) + 1);
    }
  }

  /** Lays out sound up to a frame. */
  #laySound(untilFrame: number): void {
    const sizes: number[] = [];
    const spans: ByteSpan[] = [];
    for (let next = this.#sound[0]; next && this.#laidFrames < untilFrame; next = this.#sound[0]) {
      const count = Math.min(next.sizes.length, untilFrame - this.#laidFrames);
      const taken = next.sizes.slice(0, count);
      const length = taken.reduce((sum, size) => sum + size, 0);
      sizes.push(...taken);
      spans.push({ ...next.span, length });
      this.#laidFrames += count;
      if (count === next.sizes.length) this.#sound.shift();
      else {
        const span = { ...next.span, start: next.span.start + length, length: next.span.length - length };
        this.#sound[0] = { sizes: next.sizes.slice(count), span };
      }
    }
    if (sizes.length > 0) this.#movie?.addSound(sizes, spans);
  }
}

function laidOut(placed: PlacedPictures, offsetTicks: number, limitTicks: number) {
  const { path, run } = placed;
  const prefix = placed.otherAvcC === null ? null : parameterSetBytes(placed.otherAvcC);
  const samples: TableSample[] = [];
  const spans: ByteSpan[] = [];
  let ticks = offsetTicks + run.startTicks;
  let at = run.dataAt;
  let spanStart = at;
  for (const entry of run.entries) {
    if (ticks >= limitTicks) break;
    const key = entry.flags === syncFlags;
    if (key && prefix) {
      if (at > spanStart) spans.push({ path, start: spanStart, length: at - spanStart });
      spans.push({ bytes: prefix });
      spanStart = at;
    }
    samples.push({ start: ticks, size: entry.size + (key && prefix ? prefix.length : 0), key });
    ticks += entry.ticks;
    at += entry.size;
  }
  if (at > spanStart) spans.push({ path, start: spanStart, length: at - spanStart });
  return { samples, spans, endTicks: Math.min(ticks, limitTicks) };
}

/** The Opus packets of a fragment, each where its first decoded sample stands in the attempt. */
export function packetTimes(
  run: TrackRun,
  preSkip: number,
): { start: number; samples: number; at: number; size: number }[] {
  let start = run.startTicks - preSkip;
  let at = run.dataAt;
  return run.entries.map(({ ticks, size }) => {
    const packet = { start, samples: ticks, at, size };
    start += ticks;
    at += size;
    return packet;
  });
}

/** In ms of the attempt: where the first sample of a run stands. */
export function startMsOf(run: TrackRun): number {
  return (run.startTicks * 1_000) / (run.id === videoTrack.id ? videoTrack.timescale : audioTrack.timescale);
}
