import { audioTrack, videoTrack } from './init-segment.ts';
import { box, boxesIn, fullBox, u32, u64 } from '../boxes/mp4-boxes.ts';
import type { BoxPlace } from '../boxes/mp4-boxes.ts';
import type { FrameDescription } from '../boxes/track-box.ts';

export const boxHeaderBytes = 8;

export interface VideoSample {
  readonly timeUs: number;
  readonly key: boolean;
  readonly bytes: Uint8Array;
}

export interface AudioSample {
  readonly timeUs: number;
  readonly durationUs: number;
  readonly bytes: Uint8Array;
}

export interface FragmentContent {
  /** From 1. */
  readonly sequence: number;
  readonly video: readonly VideoSample[];
  readonly audio: readonly AudioSample[];
  /** End of the last frame of the fragment. */
  readonly endUs: number;
  /** Appended to the media, and in no index. */
  readonly besides?: Buffer;
}

export const syncFlags = 0x0200_0000;
const dependentFlags = 0x0101_0000;
const baseIsMoof = 0x02_0000;
const runFlags = { dataOffset: 0x1, duration: 0x100, size: 0x200, flags: 0x400 };

interface Run {
  readonly trackId: number;
  readonly startTicks: number;
  readonly samples: readonly { ticks: number; size: number; flags: number }[];
}

/** One `moof` + `mdat` pair: samples of both tracks, playable after the init segment. */
export function mediaFragment(content: FragmentContent): Buffer {
  const runs = [videoRun(content), audioRun(content)].filter((run) => run.samples.length > 0);
  const media = Buffer.concat([
    ...content.video.map((sample) => sample.bytes),
    ...content.audio.map((sample) => sample.bytes),
    ...(content.besides ? [content.besides] : []),
  ]);
  const size = moof(content.sequence, runs, 0).length;
  return Buffer.concat([moof(content.sequence, runs, size + 8), box('mdat', media)]);
}

function moof(sequence: number, runs: readonly Run[], dataStart: number): Buffer {
  let offset = dataStart;
  const trafs = runs.map((run) => {
    const traf = box(
      'traf',
      fullBox('tfhd', 0, baseIsMoof, u32(run.trackId)),
      fullBox('tfdt', 1, 0, u64(run.startTicks)),
      fullBox(
        'trun',
        0,
        runFlags.dataOffset | runFlags.duration | runFlags.size | runFlags.flags,
        u32(run.samples.length, offset),
        u32(...run.samples.flatMap((sample) => [sample.ticks, sample.size, sample.flags])),
      ),
    );
    offset += run.samples.reduce((sum, sample) => sum + sample.size, 0);
    return traf;
  });
  return box('moof', fullBox('mfhd', 0, 0, u32(sequence)), ...trafs);
}

function videoRun(content: FragmentContent): Run {
  const ticks = (timeUs: number): number => Math.round((timeUs * videoTrack.timescale) / 1_000_000);
  return {
    trackId: videoTrack.id,
    startTicks: ticks(content.video[0]?.timeUs ?? 0),
    samples: content.video.map((sample, index) => ({
      ticks: Math.max(1, ticks(content.video[index + 1]?.timeUs ?? content.endUs) - ticks(sample.timeUs)),
      size: sample.bytes.length,
      flags: sample.key ? syncFlags : dependentFlags,
    })),
  };
}

function audioRun(content: FragmentContent): Run {
  const ticks = (timeUs: number): number => Math.round((timeUs * audioTrack.timescale) / 1_000_000);
  return {
    trackId: audioTrack.id,
    startTicks: ticks(content.audio[0]?.timeUs ?? 0),
    samples: content.audio.map((sample, index) => {
      const next = content.audio[index + 1]?.timeUs ?? sample.timeUs + sample.durationUs;
      return { ticks: Math.max(1, ticks(next) - ticks(sample.timeUs)), size: sample.bytes.length, flags: syncFlags };
    }),
  };
}

/** The samples of one track in a fragment. */
export interface TrackRun {
  readonly id: number;
  readonly startTicks: number;
  readonly samples: number;
  /** Byte offset of the first sample; the others follow. */
  readonly dataAt: number;
  readonly entries: readonly RunEntry[];
}

export interface RunEntry {
  readonly ticks: number;
  readonly size: number;
  readonly flags: number;
  /** The description in a key frame, where its bytes were read and contain one. */
  readonly video?: FrameDescription;
}

/** Without the frames before its first key frame; null when it has none. */
export function fromFirstKey(run: TrackRun): TrackRun | null {
  const first = run.entries.findIndex(({ flags }) => flags === syncFlags);
  if (first <= 0) return first === 0 ? run : null;
  const before = run.entries.slice(0, first);
  const sum = (pick: (entry: RunEntry) => number): number => before.reduce((total, entry) => total + pick(entry), 0);
  return {
    id: run.id,
    startTicks: run.startTicks + sum(({ ticks }) => ticks),
    samples: run.samples - first,
    dataAt: run.dataAt + sum(({ size }) => size),
    entries: run.entries.slice(first),
  };
}

/** @param header of the moof in these bytes. @throws Error when it is damaged */
export function runsIn(view: Buffer, header: BoxPlace): TrackRun[] {
  const trafs = boxesIn(view, header.contentStart, header.end).filter((place) => place.type === 'traf');
  return trafs.map((traf) => {
    const inside = boxesIn(view, traf.contentStart, traf.end);
    const at = (type: string): number => {
      const place = inside.find((one) => one.type === type);
      if (!place) throw new Error(`This media fragment has no ${type}.`);
      return place.contentStart;
    };
    const samples = view.readUInt32BE(at('trun') + 4);
    const entries = Array.from({ length: samples }, (_, index) => {
      const entryAt = at('trun') + 12 + index * 12;
      return {
        ticks: view.readUInt32BE(entryAt),
        size: view.readUInt32BE(entryAt + 4),
        flags: view.readUInt32BE(entryAt + 8),
      };
    });
    return {
      id: view.readUInt32BE(at('tfhd') + 4),
      startTicks: Number(view.readBigUInt64BE(at('tfdt') + 4)),
      samples,
      dataAt: header.start + view.readUInt32BE(at('trun') + 8),
      entries,
    };
  });
}

/**
 * The index of a fragment of so many bytes, from its beginning: the whole `moof`, and the header of its `mdat`.
 * @throws Error when it is cut or damaged
 */
export function fragmentIndex(head: Buffer, bytes: number): { video: TrackRun | null; audio: TrackRun | null } {
  const indexBytes = head.length >= boxHeaderBytes ? head.readUInt32BE(0) : 0;
  const mediaStart = indexBytes + boxHeaderBytes;
  if (typeAt(head, 0) !== 'moof' || mediaStart > head.length || typeAt(head, indexBytes) !== 'mdat')
    throw damagedFragment();
  if (indexBytes + head.readUInt32BE(indexBytes) !== bytes) throw damagedFragment();
  const runs = runsIn(head, { type: 'moof', start: 0, contentStart: boxHeaderBytes, end: indexBytes });
  if (runs.some((run) => run.dataAt < mediaStart || run.dataAt + mediaOf(run) > bytes)) throw damagedFragment();
  const runOf = (id: number): TrackRun | null => runs.find((run) => run.id === id && run.samples > 0) ?? null;
  return { video: runOf(videoTrack.id), audio: runOf(audioTrack.id) };
}

/** The bytes of a run's samples. */
export function mediaOf(run: TrackRun): number {
  return run.entries.reduce((sum, entry) => sum + entry.size, 0);
}

function typeAt(bytes: Buffer, start: number): string {
  return bytes.toString('latin1', start + 4, start + 8);
}

export function damagedFragment(): Error {
  return new Error('This is no media fragment, or it is cut or damaged.');
}
