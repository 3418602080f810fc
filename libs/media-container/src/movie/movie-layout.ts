import { box, text, u32 } from '../boxes/mp4-boxes.ts';
import { describedFrame, parameterSetBytes, sameBytes } from '../avc/parameter-sets.ts';
import { editBox, movieHeader, videoEntry, videoParts, trackBox } from '../boxes/track-box.ts';
import type { FrameDescription } from '../boxes/track-box.ts';
import { audioTrack, videoTrack } from '../fragments/init-segment.ts';
import { audioRate } from '../audio/audio-grid.ts';
import { spansLength } from '../byte-span.ts';
import type { ByteSpan } from '../byte-span.ts';
import { aacSamples, aacTrack, movieHead } from './movie-parts.ts';
import { SampleTable } from './sample-table.ts';
import type { TableSample } from './sample-table.ts';

/**
 * A plain MP4 with its index in front, laid out while its media arrives: appended media stay in place, and only the
 * head, which is built at the end, has their positions.
 */
export class MovieLayout {
  /** The recording's own size, in which all frames are shown. */
  readonly #shown: FrameDescription;
  /** One per decoder configuration, in order of arrival. */
  readonly #entries: [FrameDescription, ...FrameDescription[]];
  readonly #frames = new SampleTable(false);
  readonly #audio = new SampleTable(true);
  readonly #append: (spans: readonly ByteSpan[]) => void;
  #bytes = 0;

  constructor(video: FrameDescription, append: (spans: readonly ByteSpan[]) => void) {
    this.#shown = video;
    this.#entries = [describedFrame(video.avcC, video)];
    this.#append = append;
  }

  /** The size of the media so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get memoryBytes(): number {
    return this.#frames.memoryBytes + this.#audio.memoryBytes;
  }

  /** Samples one after the other, as their bytes are in the spans. Times are in the video's timescale. */
  addFrames(samples: readonly TableSample[], spans: readonly ByteSpan[], video: FrameDescription): void {
    this.#frames.addChunk(this.#bytes, samples, this.#entryOf(video));
    this.#take(spans);
  }

  /** From 1. */
  #entryOf(video: FrameDescription): number {
    const sets = parameterSetBytes(video.avcC);
    const known = this.#entries.findIndex(({ avcC }) => sameBytes(parameterSetBytes(avcC), sets));
    if (known !== -1) return known + 1;
    return this.#entries.push(video);
  }

  /** Contiguous AAC frames. */
  addAudio(sizes: readonly number[], spans: readonly ByteSpan[]): void {
    this.#audio.addChunk(this.#bytes, aacSamples(this.#audio, sizes));
    this.#take(spans);
  }

  #take(spans: readonly ByteSpan[]): void {
    this.#bytes += spansLength(spans);
    this.#append(spans);
  }

  /**
   * Everything before the media, padded to a multiple of so many bytes. @param samples presented length of the audio
   */
  head(samples: number, multipleOf: number): Buffer {
    return movieHead({
      type: box('ftyp', text('isom'), u32(512), text('isomiso2avc1mp41')),
      mediaBytes: this.#bytes,
      multipleOf,
      index: (dataStart) => this.#index(samples, dataStart),
    });
  }

  #index(samples: number, dataStart: number): Buffer {
    return box(
      'moov',
      movieHeader(audioRate, samples),
      this.#videoTrack(samples, dataStart),
      aacTrack(audioTrack.id, this.#audio, samples, dataStart),
    );
  }

  #videoTrack(samples: number, dataStart: number): Buffer {
    const end = Math.round((samples * videoTrack.timescale) / audioRate);
    const { boxes, duration } = this.#frames.boxes(end, dataStart);
    const firstSamples = Math.round(((this.#frames.firstStart ?? 0) * audioRate) / videoTrack.timescale);
    const [first, ...further] = this.#entries;
    const shown = { duration: Math.max(0, samples - firstSamples), mediaTime: 0 };
    return trackBox({
      ...videoTrack,
      ...videoParts(first, this.#shown),
      furtherEntries: further.map(videoEntry),
      // Shows nothing before its first frame, so that audio and video stay in sync.
      edits: [editBox(firstSamples > 0 ? [{ duration: firstSamples, mediaTime: -1 }, shown] : [shown])],
      durations: { movie: samples, media: duration },
      tables: boxes,
    });
  }
}
