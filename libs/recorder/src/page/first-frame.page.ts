import type { PageMediaSource } from '@rapporteur/contracts';
import type { CaptureConfig } from './messages.ts';
import { framesOf } from './track-frames.page.ts';

/** A page that was just let in has its first frame within this time, if somebody shows one. */
const firstWithinMs = 1_000;
/** Not every page tells of every change. */
const pollAgainMs = 50;

/**
 * Resolves once the page has a frame to record, at the latest after a second: a recording that began a moment before
 * would begin with black.
 */
export async function untilFrame(source: PageMediaSource, { mode, strategy }: CaptureConfig): Promise<void> {
  if (mode === 'audio_only' || strategy === 'tab') return;
  const offered = (): (MediaStreamTrack | null)[] =>
    mode === 'gallery_view' ? source.tiles().map(({ track }) => track) : [source.shownVideo()?.track ?? null];
  const ended = new AbortController();
  const late = setTimeout(() => ended.abort(), firstWithinMs);
  try {
    const track = await untilOffered(source, offered, ended.signal);
    if (track) await firstFrame(track, ended.signal);
  } finally {
    clearTimeout(late);
    ended.abort();
  }
}

async function untilOffered(
  source: PageMediaSource,
  offered: () => (MediaStreamTrack | null)[],
  signal: AbortSignal,
): Promise<MediaStreamTrack | null> {
  return await new Promise((resolve, reject) => {
    const sample = (): void => {
      try {
        const track = offered().find((one) => one?.readyState === 'live' && !one.muted);
        if (track || signal.aborted) done(track ?? null);
      } catch (error) {
        reject(error as Error);
        done(null);
      }
    };
    const stop = source.onChange(sample);
    const timer = setInterval(sample, pollAgainMs);
    const done = (track: MediaStreamTrack | null): void => {
      stop();
      clearInterval(timer);
      resolve(track);
    };
    signal.addEventListener('abort', () => done(null));
    sample();
  });
}

/** A track that is not muted any more may take some hundred milliseconds to its first frame. */
async function firstFrame(track: MediaStreamTrack, signal: AbortSignal): Promise<void> {
  const reader = framesOf(track, 1)?.getReader();
  if (!reader) return;
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop);
  const { value } = await reader.read();
  value?.close();
  stop();
}
