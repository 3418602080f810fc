import type { RecorderHealth } from '@rapporteur/recorder';

export interface RecordingConcern {
  readonly what: string;
  readonly standsStillMs: number;
  /** True when waiting longer is in vain. */
  readonly hopeless: boolean;
}

const worryAfterMs = 8_000;
const hopelessAfterMs = 20_000;

/** Whether sound and picture still arrive: what a recording is for, not only that its process lives. Pure. */
export function watchRecording(
  health: RecorderHealth,
  /** `startedAtMs`: since when it records; after a pause, since that ended. */
  options: { readonly startedAtMs: number; readonly withPicture: boolean; readonly nowMs: number },
): RecordingConcern | null {
  const { startedAtMs, withPicture, nowMs } = options;
  const soundMs = nowMs - Math.max(health.lastAudioChunkAtMs ?? startedAtMs, startedAtMs);
  const pictureMs = withPicture ? nowMs - Math.max(health.lastVideoChunkAtMs ?? startedAtMs, startedAtMs) : 0;
  const standsStillMs = Math.max(soundMs, pictureMs);
  if (standsStillMs < worryAfterMs) return null;
  // Sound alone is still worth a recording; a picture alone, or nothing, is not what was asked for.
  const what =
    soundMs >= pictureMs ? 'The sound of the recording stands still.' : 'The picture of the recording stands still.';
  return { what, standsStillMs, hopeless: soundMs >= hopelessAfterMs };
}
