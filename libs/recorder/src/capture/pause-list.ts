import type { RecordingPause } from '../recorder-ports.ts';

/** The pauses of one recording; the last one is open while it is paused. Epoch ms. */
export class PauseList {
  readonly #pauses: { startMs: number; endMs: number | null }[] = [];

  get all(): readonly RecordingPause[] {
    return this.#pauses;
  }

  /** Beginning of the open pause; null: none. */
  get openSinceMs(): number | null {
    const last = this.#pauses.at(-1);
    return last?.endMs === null ? last.startMs : null;
  }

  /** Length of the closed pauses. */
  get pausedMs(): number {
    return this.#pauses.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0);
  }

  /** @returns the beginning of the pause; of an open pause, the existing one */
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
