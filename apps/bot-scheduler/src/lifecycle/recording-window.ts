import type { Clock } from '@rapporteur/service-runtime';

/**
 * The time in which this instance could record lease renewals without a gap. A lease expires only if its runner sent no
 * renewal throughout it: while the bus, PostgreSQL or this process hang, missing renewals prove nothing.
 */
export interface RecordingWindow {
  /** A batch of renewals that began at `beganMs` is committed. */
  noteRecorded(beganMs: number): void;
  /** Renewals were dropped. */
  noteDropped(): void;
  /** Epoch ms at which the window began; now, when no renewal could be recorded for too long. */
  beganMs(): number;
}

/** @param longestGapMs between two recorded batches */
export function createRecordingWindow(clock: Clock, longestGapMs: number): RecordingWindow {
  let beganMs = clock.now();
  let recordedMs = -Infinity;
  const isOpen = (atMs: number): boolean => atMs - recordedMs <= longestGapMs;
  return {
    noteRecorded: (atMs) => {
      if (!isOpen(atMs)) beganMs = atMs;
      recordedMs = Math.max(recordedMs, atMs);
    },
    noteDropped: () => {
      recordedMs = -Infinity;
    },
    beganMs: () => {
      const nowMs = clock.now();
      return isOpen(nowMs) ? beganMs : nowMs;
    },
  };
}
