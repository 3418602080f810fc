import { isH264KeyFrame, readAccessUnits } from './h264-stream.ts';
import { isVp8KeyFrame, readIvf } from './ivf.ts';

export const videoCodecs = ['vp8', 'h264'] as const;
export type VideoCodec = (typeof videoCodecs)[number];

/** A sender's video with its layers, as in a call. */
export const videoSizes = {
  small: { width: 320, height: 180 },
  usual: { width: 640, height: 360 },
  large: { width: 1280, height: 720 },
} as const;
export type VideoSize = keyof typeof videoSizes;

/** Encoding of a participant's video. */
export type VideoKind = { codec: VideoCodec; size: VideoSize };

export type LoopFrame = { codec: VideoCodec; key: boolean; bytes: Buffer };

/** A participant's video, one frame per frame time. */
export type VideoLoop = {
  frames: readonly LoopFrame[];
  /** The same frames with more key frames, for joining between two key frames of the others without a long wait. */
  entries: readonly LoopFrame[];
};

export function vp8Loop(ivf: Buffer): VideoLoop {
  const frames = readIvf(ivf).frames.map((bytes) => ({ codec: 'vp8' as const, key: isVp8KeyFrame(bytes), bytes }));
  return { frames, entries: frames };
}

export function h264Loop(stream: Buffer, entryStream: Buffer): VideoLoop {
  const framesOf = (bytes: Buffer) =>
    readAccessUnits(bytes).map((unit) => ({ codec: 'h264' as const, key: isH264KeyFrame(unit), bytes: unit }));
  return { frames: framesOf(stream), entries: framesOf(entryStream) };
}
