import { decodeFrames } from './decode-video.ts';
import { judgeFrames } from './judge-frames.ts';
import type { FrameFacts } from './judge-frames.ts';
import { readMarker } from './marker.ts';
import type { GrayFrame, MarkerReading, FrameArea } from './marker.ts';
import { probe } from './probe.ts';
import { drawName, likeness } from './read-name.ts';
import type { NameFrame } from './read-name.ts';

/** A participant expected in the frame. Areas are in pixels. */
export interface GalleryPlace {
  readonly name: string;
  /** The number of the marker in the participant's video; null: no marker is expected. */
  readonly participant: number | null;
  readonly area: FrameArea;
  /** The area of the participant's video in the place; omitted: the whole place. */
  readonly video?: FrameArea;
  /** The area of the name; omitted: the lower left of the place. */
  readonly label?: FrameArea;
  /** Whether a bright frame is around the place all the time, or never; omitted: not checked. */
  readonly framed?: boolean;
}

/** The expected layout between two times of the file. */
export interface GallerySpan {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly places: readonly GalleryPlace[];
}

export interface GalleryExpectations {
  readonly spans: readonly GallerySpan[];
  /** The rate of the room: 25, and its loop: 60 s. */
  readonly framesPerSecond?: number;
  readonly loopSeconds?: number;
  /** Least share of the room's frames of each participant that are in the video: 0.7. */
  readonly frameShare?: number;
  /** Places in one participant's video where room time may be missing or doubled: 0. */
  readonly timeJumpsMost?: number;
}

export interface PlaceReport {
  readonly name: string;
  readonly fromMs: number;
  readonly participant: number | null;
  readonly framed: boolean | null;
  /** Share of the frames in which the right marker was read. */
  readonly rightShare: number;
  /** Number of different counters read: a plain area reads as a single one. */
  readonly countersSeen: number;
  readonly video: FrameFacts;
  /** Share of the room's frames that are in the video. */
  readonly frameShare: number;
  /** Share of the frames in which a bright line is beside the place. */
  readonly framedShare: number;
  /** Likeness of each expected name to the text at the label, the likeliest first. */
  readonly names: readonly { readonly name: string; readonly likeness: number }[];
}

type Reading = MarkerReading & {
  readonly timeMs: number;
  /** The brightness of the line beside the place. */
  readonly brightness: number;
  readonly change: number;
};

/** Letters of another font, or blurred by the encoder, have less likeness than this. */
const leastLikeness = 0.55;
/** Minimum lead of the right name over every other. */
const likenessMargin = 0.1;
const edge = 5;
const labelShare = { width: 0.6, height: 0.18 };
const rightShareLeast = 0.9;
const frameBrightness = 90;
const lineReach = 10;
const strayCountersMost = 3;
/** Frames that a mean is made of. */
const mostKept = 40;

/**
 * Decodes a gallery of a simulated room and checks the place of every participant: their own video, without a freeze,
 * and their own name.
 * @returns in `problems` one sentence for each deviation; empty: passed
 */
export async function checkGallery(
  path: string,
  expected: GalleryExpectations,
  options: { readonly ffmpegPath?: string; readonly ffprobePath?: string; readonly deadlineMs?: number } = {},
): Promise<{ report: PlaceReport[]; problems: string[] }> {
  const { ffmpegPath = 'ffmpeg', ffprobePath = 'ffprobe', deadlineMs = 600_000 } = options;
  const { video } = await probe(path, ffprobePath, deadlineMs);
  if (video === null) throw new Error(`${path} has no video.`);
  const names = [...new Set(expected.spans.flatMap(({ places }) => places.map(({ name }) => name)))];
  const drawn = await Promise.all(names.map((name) => drawName(name, { ffmpegPath, deadlineMs })));
  const report: PlaceReport[] = [];
  // Frames are large: one after the other.
  for (const span of expected.spans) {
    const watched = span.places.map((place) => ({ place, readings: [] as Reading[] }));
    const mean = new MeanFrame();
    const pending: ((timeMs: number) => void)[] = [];
    const { times } = await decodeFrames(path, video, {
      ffmpegPath,
      deadlineMs,
      take: (pixels) => {
        const marks = watched.map(({ place }) => ({
          ...readMarker({ ...video, pixels }, place.video ?? place.area),
          brightness: besideOf({ ...video, pixels }, place.area),
          change: 0,
        }));
        pending.push((timeMs) => {
          if (timeMs < span.fromMs || timeMs >= span.untilMs) return;
          for (const [index, { readings }] of watched.entries()) readings.push({ ...marks[index]!, timeMs });
        });
        mean.add(pixels, pending.length - 1);
      },
    });
    pending.forEach((settle, index) => settle(times[index] ?? 0));
    const inSpan = (index: number): boolean => times[index]! >= span.fromMs && times[index]! < span.untilMs;
    const still = { ...video, pixels: mean.of(inSpan) };
    for (const { place, readings } of watched)
      report.push(judgePlace(place, readings, { span, expected, still, drawn }));
  }
  return { report, problems: report.flatMap((place) => problemsOf(place, expected)) };
}

function judgePlace(
  place: GalleryPlace,
  readings: readonly Reading[],
  facts: {
    span: GallerySpan;
    expected: GalleryExpectations;
    still: { width: number; height: number; pixels: Uint8Array };
    drawn: readonly NameFrame[];
  },
): PlaceReport {
  const { span, expected, still, drawn } = facts;
  const { framesPerSecond = 25, loopSeconds = 60 } = expected;
  const lastsMs = span.untilMs - span.fromMs;
  const marked = readings.filter(({ counter }) => counter !== null);
  const right = marked.filter(({ participant }) => participant === place.participant);
  const share = (part: readonly unknown[]): number => (readings.length === 0 ? 0 : part.length / readings.length);
  const fromZero = right.map((reading) => ({ ...reading, timeMs: reading.timeMs - span.fromMs }));
  const shown = new Set(right.map(({ counter }) => counter)).size;
  const label = place.label ?? labelOf(place.area);
  return {
    name: place.name,
    fromMs: span.fromMs,
    participant: place.participant,
    framed: place.framed ?? null,
    rightShare: share(right),
    countersSeen: new Set(marked.map(({ counter }) => counter)).size,
    video: judgeFrames(fromZero, lastsMs, { framesPerSecond, loopSeconds }),
    frameShare: shown / Math.min((lastsMs / 1_000) * framesPerSecond, loopSeconds * framesPerSecond),
    framedShare: share(readings.filter(({ brightness }) => brightness > frameBrightness)),
    names: drawn
      .map((name) => ({ name: name.name, likeness: likeness(still, label, name) }))
      .toSorted((one, other) => other.likeness - one.likeness),
  };
}

function problemsOf(place: PlaceReport, expected: GalleryExpectations): string[] {
  const problems: string[] = [];
  const where = `In the place of ${place.name} from ${place.fromMs} ms on`;
  const [best, next] = place.names;
  if (best === undefined || best.name !== place.name || best.likeness < leastLikeness)
    problems.push(`${where} the name is missing; the most similar is ${best?.name} (${best?.likeness.toFixed(2)}).`);
  else if (next !== undefined && best.likeness - next.likeness < likenessMargin)
    problems.push(`${where} the name cannot be distinguished from ${next.name}.`);
  if (place.framed === true && place.framedShare < rightShareLeast) problems.push(`${where} the frame is missing.`);
  if (place.framed === false && place.framedShare > 1 - rightShareLeast)
    problems.push(`${where} is a frame that should not be there.`);
  if (place.participant === null) {
    if (place.countersSeen > strayCountersMost) problems.push(`${where} a video is visible.`);
    return problems;
  }
  if (place.rightShare < rightShareLeast)
    problems.push(`${where} the right video is in only ${Math.round(place.rightShare * 100)} % of the frames.`);
  if (place.frameShare < (expected.frameShare ?? 0.7))
    problems.push(`${where} only ${Math.round(place.frameShare * 100)} % of the room's frames are shown.`);
  if (place.video.stepsBack.length > 0) problems.push(`${where} the frame counter went back.`);
  if (place.video.timeJumps.length > (expected.timeJumpsMost ?? 0)) problems.push(`${where} the room's time jumps.`);
  return problems;
}

/** Brightness of a short line just left of a place, at half its height. */
function besideOf({ width, pixels }: GrayFrame, { left, top, height }: FrameArea): number {
  const [x, middle] = [Math.round(left) - 2, Math.round(top + height / 2)];
  let sum = 0;
  for (let y = middle - lineReach; y < middle + lineReach; y += 1) sum += pixels[y * width + x] ?? 0;
  return sum / (2 * lineReach);
}

function labelOf({ left, top, width, height }: FrameArea): FrameArea {
  const size = { width: Math.floor(width * labelShare.width), height: Math.floor(height * labelShare.height) };
  // A frame's corners reach into the place.
  return { left: left + edge, top: top + height - size.height - edge, ...size };
}

/** Mean luma of the frames of a span whose times are known only at the end. */
class MeanFrame {
  readonly #kept: { readonly index: number; readonly pixels: Uint8Array }[] = [];
  #every = 4;

  add(pixels: Uint8Array, index: number): void {
    if (index % this.#every !== 0) return;
    this.#kept.push({ index, pixels: Uint8Array.from(pixels) });
    if (this.#kept.length <= mostKept) return;
    this.#every *= 2;
    const kept = this.#kept.filter((one) => one.index % this.#every === 0);
    this.#kept.splice(0, this.#kept.length, ...kept);
  }

  of(isWanted: (index: number) => boolean): Uint8Array {
    const wanted = this.#kept.filter(({ index }) => isWanted(index));
    const mean = new Uint8Array(this.#kept[0]?.pixels.length ?? 0);
    for (let at = 0; at < mean.length; at += 1) {
      let sum = 0;
      for (const { pixels } of wanted) sum += pixels[at] ?? 0;
      mean[at] = sum / Math.max(1, wanted.length);
    }
    return mean;
  }
}
