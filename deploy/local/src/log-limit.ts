import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs';

export interface LogLimit {
  readonly largestBytes: number;
  readonly pollIntervalMs: number;
}

/** Before a writer opens it: a log above the limit becomes `.1` and replaces the older one. */
export function rotateLog(file: string, { largestBytes }: LogLimit): void {
  if (sizeOf(file) > largestBytes) renameSync(file, `${file}.1`);
}

/**
 * While a writer has it open for append: a log above the limit is copied to `.1` and truncated, so that both together
 * stay at about twice the limit. A line written between the two steps is lost.
 * @returns a function that stops the polling; idempotent
 */
export function keepLogSmall(file: string, limit: LogLimit, onEmptied: () => void = () => undefined): () => void {
  const timer = setInterval(() => {
    try {
      if (sizeOf(file) <= limit.largestBytes) return;
      copyFileSync(file, `${file}.1`);
      truncateSync(file);
      onEmptied();
    } catch {
      // A full disk must not end the stack; the next poll retries.
    }
  }, limit.pollIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
