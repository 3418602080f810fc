import type { ChromiumGlobal } from '../chromium-media.ts';

/** The decoded frames of a track. Null when it has ended, or cannot be read. */
export function framesOf(
  track: MediaStreamTrack,
  waiting: number,
): (ReadableStream<VideoFrame> & ReadableStream<AudioData>) | null {
  const { MediaStreamTrackProcessor } = globalThis as unknown as ChromiumGlobal;
  if (!MediaStreamTrackProcessor) return null;
  try {
    return new MediaStreamTrackProcessor({ track, maxBufferSize: waiting }).readable;
  } catch {
    // The track ended meanwhile; the source will report its successor.
    return null;
  }
}
