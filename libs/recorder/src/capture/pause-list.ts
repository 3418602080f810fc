import type { RecordingPause } from '../recorder-ports.ts';

/** The pauses of one recording; the last one is open while it stands still. Epoch ms. */
export class PauseList {
  readonly #pauses: { startMs: number; endMs: number | null }[] = [];

  get all(): readonly RecordingPause[] {
    return this.#pauses;
  }

  /** Since when the recording stands still; null while it does not. */
  get openSinceMs(): number | null {
    const last = this.#pauses.at(-1);
    return last?.endMs === null ? last.startMs : null;
  }

  /** What those that are over took. */
  get pausedMs(): number {
    return this.#pauses.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0);
  }

  /** @returns since when the recording stands still: of a pause that goes on already, its beginning */
  begin(atMs: number): number {
    const { openSinceMs } = this;
    if (openSinceMs !== null) return openSinceMs;
    this.#pauses.push({ startMs: atMs, endMs: null });
    return atMs;
  }

  end(atMs: number): number {
    const last = this.#pauses.at(-1);
    if (last?.endMs === null) last.endMs = Math.max(atMs, last.startMs);
    return atMs;
  }
}
