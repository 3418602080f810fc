import { audioTrack, videoTrack } from './init-segment.ts';
import { box, boxesIn, fullBox, u32, u64 } from './mp4-boxes.ts';

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
  /** Where the last picture of the fragment ends. */
  readonly endUs: number;
}

const syncFlags = 0x0200_0000;
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
      return { ticks: ticks(next) - ticks(sample.timeUs), size: sample.bytes.length, flags: syncFlags };
    }),
  };
}

export interface FragmentReading {
  readonly videoSamples: number;
  readonly audioSamples: number;
  /** Of the first sample of each track, in ms; null where the fragment has none. */
  readonly videoStartMs: number | null;
  readonly audioStartMs: number | null;
  /** Where the longer of the two tracks ends. */
  readonly endMs: number;
}

/** What is in a fragment of ours. @throws Error when it is cut or damaged */
export function readFragment(bytes: Uint8Array): FragmentReading {
  const tracks = trackRuns(bytes);
  const video = tracks.find((track) => track.id === videoTrack.id);
  const audio = tracks.find((track) => track.id === audioTrack.id);
  const ms = (ticks: number, timescale: number): number => (ticks * 1_000) / timescale;
  return {
    videoSamples: video?.samples ?? 0,
    audioSamples: audio?.samples ?? 0,
    videoStartMs: video ? ms(video.startTicks, videoTrack.timescale) : null,
    audioStartMs: audio ? ms(audio.startTicks, audioTrack.timescale) : null,
    endMs: Math.max(
      video ? ms(video.startTicks + video.ticks, videoTrack.timescale) : 0,
      audio ? ms(audio.startTicks + audio.ticks, audioTrack.timescale) : 0,
    ),
  };
}

/** The same fragment at another place of a longer recording. @throws Error when it is cut or damaged */
export function movedFragment(bytes: Uint8Array, sequence: number, byMs: number): Buffer {
  const moved = Buffer.from(bytes);
  for (const track of trackRuns(moved)) {
    const timescale = track.id === videoTrack.id ? videoTrack.timescale : audioTrack.timescale;
    moved.writeBigUInt64BE(BigInt(track.startTicks + Math.round((byMs * timescale) / 1_000)), track.startAt);
  }
  const header = boxesIn(moved).find((place) => place.type === 'moof');
  const count = header && boxesIn(moved, header.contentStart, header.end).find((place) => place.type === 'mfhd');
  if (count) moved.writeUInt32BE(sequence, count.contentStart + 4);
  return moved;
}

interface TrackRun {
  readonly id: number;
  readonly startTicks: number;
  /** Byte offset of the start time. */
  readonly startAt: number;
  readonly samples: number;
  readonly ticks: number;
}

function trackRuns(bytes: Uint8Array): TrackRun[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places = boxesIn(view);
  const [header, media] = places;
  if (places.length !== 2 || header?.type !== 'moof' || media?.type !== 'mdat') {
    throw new Error('This is no media fragment: it must be one moof and one mdat.');
  }
  const trafs = boxesIn(view, header.contentStart, header.end).filter((place) => place.type === 'traf');
  return trafs.map((traf) => {
    const inside = boxesIn(view, traf.contentStart, traf.end);
    const at = (type: string): number => {
      const place = inside.find((one) => one.type === type);
      if (!place) throw new Error(`This media fragment has no ${type}.`);
      return place.contentStart;
    };
    const samples = view.readUInt32BE(at('trun') + 4);
    let ticks = 0;
    for (let index = 0; index < samples; index += 1) ticks += view.readUInt32BE(at('trun') + 12 + index * 12);
    return {
      id: view.readUInt32BE(at('tfhd') + 4),
      startTicks: Number(view.readBigUInt64BE(at('tfdt') + 4)),
      startAt: at('tfdt') + 4,
      samples,
      ticks,
    };
  });
}
