import type { CaptureStats } from '@rapporteur/page-capture';
import type { AudioLevel } from '../recorder-ports.ts';

/** Audio without data for this long has stalled. */
const audioStillMs = 3_000;

/** Distinguishes a silent meeting from a stalled capture. Pure. */
export function audioLevelOf(stats: CaptureStats | null, lastChunkAtMs: number | null, nowMs: number): AudioLevel {
  const fresh = (atMs: number | null): boolean => atMs !== null && nowMs - atMs < audioStillMs;
  const tracks = stats?.audioTracks ?? 0;
  const lastDataAtMs = stats?.lastAudioDataAtMs ?? null;
  return {
    peak: stats?.audioPeak ?? 0,
    rms: stats?.audioRms ?? 0,
    tracks,
    lastDataAtMs,
    captureAlive: fresh(lastChunkAtMs) && (tracks === 0 || fresh(lastDataAtMs)),
  };
}
