import type { PageMediaSource } from '@rapporteur/contracts';
import type { CaptureConfig } from '../messages.ts';
import { framesOf } from './track-frames.page.ts';

/** After admission the first frame arrives within this time of the first media, if a participant shows video. */
const firstWithinMs = 1_000;
/** A slow host takes longer to connect its tracks: until then waiting loses nothing. */
const connectsWithinMs = 3_000;
/** Not every page reports every change. */
const pollAgainMs = 50;

/**
 * Resolves once the page has a frame to record: a recording that began a moment before would begin with black. At the
 * latest a second after media arrived on any track; without any, after a second, or after 3 s if there are tracks to
 * wait for.
 */
export async function untilFrame(source: PageMediaSource, { mode, strategy }: CaptureConfig): Promise<void> {
  if (mode === 'audio_only' || strategy === 'tab') return;
  const offered = (): (MediaStreamTrack | null)[] =>
    mode === 'gallery_view' ? source.tiles().map(({ track }) => track) : [source.shownVideo()?.track ?? null];
  const ended = new AbortController();
  const patience = new Patience(() => [...source.audioTracks(), ...offered()]);
  const late = setInterval(() => patience.over() && ended.abort(), pollAgainMs);
  try {
    const track = await untilOffered(source, offered, ended.signal);
    if (track) await firstFrame(track, ended.signal);
  } finally {
    clearInterval(late);
    ended.abort();
  }
}

/** A track is muted until its first media arrives. */
class Patience {
  readonly #tracks: () => (MediaStreamTrack | null)[];
  readonly #startedAtMs = performance.now();
  #arrivedAtMs: number | null = null;

  constructor(tracks: () => (MediaStreamTrack | null)[]) {
    this.#tracks = tracks;
  }

  over(): boolean {
    const nowMs = performance.now();
    const live = this.#tracks().filter((track) => track?.readyState === 'live');
    if (live.some((track) => !track?.muted)) this.#arrivedAtMs ??= nowMs;
    if (this.#arrivedAtMs !== null) return nowMs - this.#arrivedAtMs >= firstWithinMs;
    return nowMs - this.#startedAtMs >= (live.length > 0 ? connectsWithinMs : firstWithinMs);
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
