import type { CaptureStats } from '../page/messages.ts';
import type { AudioLevel } from '../recorder-ports.ts';

/** Sound that did not arrive for so long stands still. */
const soundStillMs = 3_000;

/** Whether a silent mix means that nobody made a sound, or that the capture stands still. Pure. */
export function audioLevelOf(stats: CaptureStats | null, lastChunkAtMs: number | null, nowMs: number): AudioLevel {
  const fresh = (atMs: number | null): boolean => atMs !== null && nowMs - atMs < soundStillMs;
  const tracks = stats?.soundTracks ?? 0;
  const lastDataAtMs = stats?.lastSoundDataAtMs ?? null;
  return {
    peak: stats?.soundPeak ?? 0,
    rms: stats?.soundRms ?? 0,
    tracks,
    lastDataAtMs,
    captureAlive: fresh(lastChunkAtMs) && (tracks === 0 || fresh(lastDataAtMs)),
  };
}
