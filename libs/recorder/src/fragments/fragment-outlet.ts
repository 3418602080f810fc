import { withDeadline } from '@rapporteur/async';
import type { RecordingFragment } from '@rapporteur/media-container';

export interface OutletOptions {
  /** Maximum number of waiting fragments; further ones are dropped. */
  readonly waitingMax: number;
  /** How long one fragment may take. */
  readonly deadlineMs: number;
  take(fragment: RecordingFragment): Promise<void>;
  onLost(gap: LostFragment): void;
}

export interface LostFragment {
  readonly sequence: number;
  readonly startMs: number;
  readonly endMs: number;
  /** `storage_slow`: too many were waiting. `storage_failed`: storing failed or exceeded its deadline. */
  readonly reason: 'storage_slow' | 'storage_failed';
  readonly cause?: unknown;
}

/** Stores fragments one after the other, so that slow storage never stops the capture. */
export class FragmentOutlet {
  readonly #options: OutletOptions;
  readonly #waiting: RecordingFragment[] = [];
  #running: Promise<void> | null = null;

  constructor(options: OutletOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  put(fragment: RecordingFragment): void {
    if (this.#waiting.length >= this.#options.waitingMax) {
      this.#lose(fragment, 'storage_slow');
      return;
    }
    this.#waiting.push(fragment);
    this.#running ??= this.#run();
  }

  /** Resolves when the queue is empty, or after `deadlineMs`, when the rest is dropped. */
  async drain(deadlineMs: number): Promise<void> {
    if (this.#running) await withDeadline(this.#running, deadlineMs, 'Storing the fragments').catch(() => undefined);
    for (const fragment of this.#waiting.splice(0)) this.#lose(fragment, 'storage_slow');
  }

  async #run(): Promise<void> {
    for (let fragment = this.#waiting[0]; fragment; fragment = this.#waiting[0]) {
      try {
        await withDeadline(this.#options.take(fragment), this.#options.deadlineMs, 'Storing a fragment');
      } catch (error) {
        this.#lose(fragment, 'storage_failed', error);
      }
      if (this.#waiting[0] === fragment) this.#waiting.shift();
    }
    this.#running = null;
  }

  #lose(fragment: RecordingFragment, reason: LostFragment['reason'], cause?: unknown): void {
    const { sequence, startMs, endMs } = fragment;
    this.#options.onLost({ sequence, startMs, endMs, reason, ...(cause === undefined ? {} : { cause }) });
  }
}
