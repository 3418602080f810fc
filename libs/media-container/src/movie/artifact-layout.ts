import { describedFrame, parameterSetBytes, sameBytes } from '../avc/parameter-sets.ts';
import { audioTrack, videoTrack } from '../fragments/init-segment.ts';
import { syncFlags } from '../fragments/media-fragment.ts';
import type { RunEntry, TrackRun } from '../fragments/media-fragment.ts';
import { movieHeader } from '../boxes/track-box.ts';
import type { FrameDescription } from '../boxes/track-box.ts';
import { frameSamples, fragmentFrames, audioRate } from '../audio/audio-grid.ts';
import { spansLength } from '../byte-span.ts';
import type { ByteSpan } from '../byte-span.ts';
import { box, text, u32 } from '../boxes/mp4-boxes.ts';
import { flacHead } from '../audio/flac-frames.ts';
import { MovieLayout } from './movie-layout.ts';
import { SampleTable } from './sample-table.ts';
import type { TableSample } from './sample-table.ts';
import { aacSamples, aacTrack, movieHead } from './movie-parts.ts';

/** Frames per seek point: some ten seconds. */
const seekFrames = 469;

/** A FLAC file laid out while its frames arrive; only its head is built at the end. */
class FlacLayout {
  readonly #append: (spans: readonly ByteSpan[]) => void;
  readonly #seekPoints: { sample: number; offset: number; samples: number }[] = [];
  #frames = 0;
  #bytes = 0;

  constructor(append: (spans: readonly ByteSpan[]) => void) {
    this.#append = append;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get memoryBytes(): number {
    return this.#seekPoints.length * 64;
  }

  add(sizes: readonly number[], span: ByteSpan): void {
    for (const size of sizes) {
      if (this.#frames % seekFrames === 0)
        this.#seekPoints.push({ sample: this.#frames * frameSamples, offset: this.#bytes, samples: frameSamples });
      this.#frames += 1;
      this.#bytes += size;
    }
    this.#append([span]);
  }

  head(samples: number, multipleOf: number): Buffer {
    const seekPoints = this.#seekPoints.map((point) => ({
      ...point,
      samples: Math.min(point.samples, samples - point.sample),
    }));
    return flacHead({ samples, rate: audioRate, seekPoints }, multipleOf);
  }
}

const onlyTrack = 1;

/** An M4A with its index in front: the movie's own AAC frames, without the video. */
class AudioLayout {
  readonly #frames = new SampleTable(true);
  readonly #append: (spans: readonly ByteSpan[]) => void;
  #bytes = 0;

  constructor(append: (spans: readonly ByteSpan[]) => void) {
    this.#append = append;
  }

  /** The size of the media so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get memoryBytes(): number {
    return this.#frames.memoryBytes;
  }

  /** Contiguous AAC frames. */
  add(sizes: readonly number[], spans: readonly ByteSpan[]): void {
    this.#frames.addChunk(this.#bytes, aacSamples(this.#frames, sizes));
    this.#bytes += spansLength(spans);
    this.#append(spans);
  }

  /**
   * Everything before the media, padded to a multiple of so many bytes. @param samples presented length of the audio
   */
  head(samples: number, multipleOf: number): Buffer {
    return movieHead({
      type: box('ftyp', text('M4A '), u32(512), text('M4A isomiso2mp42')),
      mediaBytes: this.#bytes,
      multipleOf,
      index: (dataStart) =>
        box('moov', movieHeader(audioRate, samples), aacTrack(onlyTrack, this.#frames, samples, dataStart)),
    });
  }
}

export type ArtifactName = 'video' | 'audio' | 'audio_m4a';

/** Contiguous frames. AAC begins one frame before the audio: the decoder needs it as preroll. */
export interface AudioFrames {
  readonly aac: readonly Buffer[];
  readonly flac: readonly Buffer[];
}

export interface LayoutOptions {
  /** Null for a recording without video: then there is no movie. */
  readonly video: FrameDescription | null;
  /** Stores bytes until they are part of an artifact. */
  readonly spool: { keep(parts: readonly Buffer[]): Promise<Extract<ByteSpan, { path: string }>> };
  /** The content of the artifacts, in order, without their heads. */
  append(name: ArtifactName, spans: readonly ByteSpan[]): void;
}

/** Frames of one fragment, where they belong. */
export interface PlacedFrames {
  readonly path: string;
  readonly run: TrackRun;
  /** Beginning of the attempt, in audio frames of the recording. */
  readonly offsetFrame: number;
  /** The decoder configuration before a key frame without its own, where it differs from the movie's. */
  readonly otherAvcC: Uint8Array | null;
}

interface WaitingFrames {
  readonly untilSample: number;
  readonly samples: readonly TableSample[];
  readonly spans: readonly ByteSpan[];
  readonly video: FrameDescription;
}

/** Heads are padded to whole blocks, which a file system can insert before the existing content. */
const headMultiple = 4_096;
const videoTicksPerSample = videoTrack.timescale / audioRate;
/** Maximum wait of audio without video. */
const lonelyFrames = 2 * fragmentFrames;

/** Lays out video and audio interleaved, as they arrive: positions are final. */
export class ArtifactLayout {
  readonly #options: LayoutOptions;
  readonly #movie: MovieLayout | null;
  readonly #flac: FlacLayout;
  readonly #m4a: AudioLayout;
  #frames: WaitingFrames[] = [];
  #audio: { sizes: number[]; span: Extract<ByteSpan, { path: string }> }[] = [];
  /** The description of the last frames. */
  #video: FrameDescription | null;
  #laidFrames = 0;
  #keptFrames = 0;

  constructor(options: LayoutOptions) {
    this.#options = options;
    const { video, append } = options;
    this.#video = video;
    this.#movie = video && new MovieLayout(video, (spans) => append('video', spans));
    this.#flac = new FlacLayout((spans) => append('audio', spans));
    this.#m4a = new AudioLayout((spans) => append('audio_m4a', spans));
  }

  /** Memory used for the state so far. */
  get memoryBytes(): number {
    return (this.#movie?.memoryBytes ?? 0) + this.#flac.memoryBytes + this.#m4a.memoryBytes;
  }

  addFrames(placed: PlacedFrames): void {
    const { video: shown } = this.#options;
    if (this.#movie === null || shown === null) return;
    const offsetTicks = Math.round(placed.offsetFrame * frameSamples * videoTicksPerSample);
    const undescribed = placed.otherAvcC === null ? shown : describedFrame(placed.otherAvcC, shown);
    for (const fragment of fragments(placed.run, { first: this.#video ?? shown, undescribed })) {
      this.#video = fragment.video;
      const ownRun = { ...placed, run: fragment.run };
      const { samples, spans, endTicks } = laidOut(ownRun, offsetTicks);
      const untilSample = endTicks / videoTicksPerSample;
      if (samples.length > 0) this.#frames.push({ samples, spans, untilSample, video: fragment.video });
    }
  }

  async addAudio({ aac, flac }: AudioFrames): Promise<void> {
    const sizes = (frames: readonly Buffer[]): number[] => frames.map((frame) => frame.length);
    if (flac.length > 0) this.#flac.add(sizes(flac), await this.#options.spool.keep(flac));
    if (aac.length === 0) return;
    const waiting = { sizes: sizes(aac), span: await this.#options.spool.keep(aac) };
    this.#m4a.add(waiting.sizes, [waiting.span]);
    if (this.#movie === null) return;
    this.#audio.push(waiting);
    this.#keptFrames += aac.length;
    // The first frame is preroll only.
    const keptSample = (this.#keptFrames - 1) * frameSamples;
    this.#layWhile((videoFrames) => videoFrames.untilSample <= keptSample);
    if (this.#frames.length === 0 && this.#keptFrames - this.#laidFrames > lonelyFrames) this.#layAudio(Infinity);
  }

  /** The artifacts' heads, once all media was added. @param samples length of the recording */
  finish(samples: number): { readonly name: ArtifactName; readonly head: Buffer; readonly bytes: number }[] {
    this.#layWhile(() => true);
    this.#layAudio(Infinity);
    const artifact = (name: ArtifactName, layout: MovieLayout | FlacLayout | AudioLayout) => {
      const head = layout.head(samples, headMultiple);
      return { name, head, bytes: head.length + layout.bytes };
    };
    const audio = [artifact('audio', this.#flac), artifact('audio_m4a', this.#m4a)];
    return [...(this.#movie ? [artifact('video', this.#movie)] : []), ...audio];
  }

  #layWhile(isDue: (videoFrames: WaitingFrames) => boolean): void {
    for (let next = this.#frames[0]; next && isDue(next); next = this.#frames[0]) {
      this.#frames.shift();
      this.#movie?.addFrames(next.samples, next.spans, next.video);
      this.#layAudio(Math.ceil(next.untilSample / frameSamples) + 1);
    }
  }

  /** Lays out audio up to a frame. */
  #layAudio(untilFrame: number): void {
    const sizes: number[] = [];
    const spans: ByteSpan[] = [];
    for (let next = this.#audio[0]; next && this.#laidFrames < untilFrame; next = this.#audio[0]) {
      const count = Math.min(next.sizes.length, untilFrame - this.#laidFrames);
      const taken = next.sizes.slice(0, count);
      const length = taken.reduce((sum, size) => sum + size, 0);
      sizes.push(...taken);
      spans.push({ ...next.span, length });
      this.#laidFrames += count;
      if (count === next.sizes.length) this.#audio.shift();
      else {
        const span = { ...next.span, start: next.span.start + length, length: next.span.length - length };
        this.#audio[0] = { sizes: next.sizes.slice(count), span };
      }
    }
    if (sizes.length > 0) this.#movie?.addAudio(sizes, spans);
  }
}

interface VideoFragment {
  readonly video: FrameDescription;
  readonly run: TrackRun;
}

/**
 * Splits a run where the decoder configuration of its frames changes.
 * @param known `first`: the description before it; `undescribed`: that of a key frame without its own
 */
function fragments(run: TrackRun, known: { first: FrameDescription; undescribed: FrameDescription }): VideoFragment[] {
  const found: { video: FrameDescription; startTicks: number; dataAt: number; entries: RunEntry[] }[] = [];
  let { startTicks, dataAt } = run;
  let video = known.first;
  for (const entry of run.entries) {
    if (entry.flags === syncFlags) video = entry.video ?? known.undescribed;
    const last = found.at(-1);
    if (last && sameBytes(last.video.avcC, video.avcC)) last.entries.push(entry);
    else found.push({ video, startTicks, dataAt, entries: [entry] });
    startTicks += entry.ticks;
    dataAt += entry.size;
  }
  return found.map(({ video: own, entries, ...place }) => ({
    video: own,
    run: { ...place, id: run.id, samples: entries.length, entries },
  }));
}

function laidOut(placed: PlacedFrames, offsetTicks: number) {
  const { path, run } = placed;
  const prefix = placed.otherAvcC === null ? null : parameterSetBytes(placed.otherAvcC);
  const samples: TableSample[] = [];
  const spans: ByteSpan[] = [];
  let ticks = offsetTicks + run.startTicks;
  let at = run.dataAt;
  let spanStart = at;
  for (const entry of run.entries) {
    const key = entry.flags === syncFlags;
    const lead = key && !entry.video ? prefix : null;
    if (lead) {
      if (at > spanStart) spans.push({ path, start: spanStart, length: at - spanStart });
      spans.push({ bytes: lead });
      spanStart = at;
    }
    samples.push({ start: ticks, size: entry.size + (lead?.length ?? 0), key });
    ticks += entry.ticks;
    at += entry.size;
  }
  if (at > spanStart) spans.push({ path, start: spanStart, length: at - spanStart });
  return { samples, spans, endTicks: ticks };
}

/** The Opus packets of a fragment, each with the position of its first decoded sample in the attempt. */
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

/** Position of the first sample of a run, in ms of the attempt. */
export function startMsOf(run: TrackRun): number {
  return (run.startTicks * 1_000) / (run.id === videoTrack.id ? videoTrack.timescale : audioTrack.timescale);
}
