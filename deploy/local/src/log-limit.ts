import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs';

export interface LogLimit {
  readonly largestBytes: number;
  readonly pollIntervalMs: number;
}

/** Before a writer opens it: a log above the limit becomes `.1`, in place of the older one. */
export function rotateLog(file: string, { largestBytes }: LogLimit): void {
  if (sizeOf(file) > largestBytes) renameSync(file, `${file}.1`);
}

/**
 * While a writer that opened it for append lives: a log above the limit is copied to `.1` and emptied in place, so that
 * both together stay at about twice the limit. A line written between the two steps is lost.
 *
 * @returns stops looking; safe twice
 */
export function keepLogSmall(file: string, limit: LogLimit, onEmptied: () => void = () => undefined): () => void {
  const timer = setInterval(() => {
    try {
      if (sizeOf(file) <= limit.largestBytes) return;
      copyFileSync(file, `${file}.1`);
      truncateSync(file);
      onEmptied();
    } catch {
      // A full disk must not end the stack as well; the next look tries again.
    }
  }, limit.pollIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
