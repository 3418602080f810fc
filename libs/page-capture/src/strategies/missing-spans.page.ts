import type { MissingVideoReason } from '@rapporteur/contracts';
import type { MissingVideo } from '../messages.ts';

/** A shorter one is the usual time to the first frame of a video. */
const shortestMs = 1_000;

/** Joins observations of a missing video to spans of media time. */
export class MissingSpans {
  #open: { readonly startMs: number; readonly reason: MissingVideoReason } | null = null;
  #last: MissingVideo | null = null;
  #closed: MissingVideo[] = [];

  /**
   * Call it about ten times a second.
   * @param missing since when, in media time; null: nothing is missing
   */
  observe(missing: { readonly sinceMs: number; readonly reason: MissingVideoReason } | null, reachedMs: number): void {
    const open = this.#open;
    if (missing !== null) {
      const { sinceMs, reason } = missing;
      // It had only been observed no more, for instance by a busy page: no frame has come since the last span.
      const same = this.#last !== null && sinceMs < this.#last.endMs ? this.#last : null;
      this.#open ??= same ?? { startMs: Math.min(reachedMs, sinceMs), reason };
    } else if (open !== null) {
      this.#closed.push(...this.#running(reachedMs));
      this.#last = { ...open, endMs: reachedMs };
      this.#open = null;
    }
  }

  /** The spans since the last call; one that is still open ends at `reachedMs` so far. */
  take(reachedMs: number): MissingVideo[] {
    const spans = [...this.#closed, ...this.#running(reachedMs)];
    this.#closed = [];
    return spans;
  }

  #running(reachedMs: number): MissingVideo[] {
    const long = this.#open !== null && reachedMs - this.#open.startMs >= shortestMs;
    return long && this.#open ? [{ ...this.#open, endMs: reachedMs }] : [];
  }
}
