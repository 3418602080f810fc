import { withDeadline } from '@rapporteur/async';
import type { RecorderPage, RecordingPause } from '../recorder-ports.ts';
import { numberAt } from './page-response.ts';

/** The pauses of one recording; the last one is open while it is paused. Epoch ms. */
class PauseList {
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

type PauseChange = 'pause' | 'resume';

export interface PauseSwitchOptions {
  /** How long the page may take to respond. */
  readonly deadlineMs: number;
  /** Epoch ms. */
  readonly clock: { now(): number };
}

const whatTakesLong = { pause: 'Pausing the recording', resume: 'Resuming the recording' } as const;

/**
 * Pauses and resumes the capture, and keeps the list of pauses. A change that was reported as failed has no effect: a
 * page that completes it late is switched back, unless the same change was requested again meanwhile.
 */
export class PauseSwitch {
  readonly #options: PauseSwitchOptions;
  readonly #list = new PauseList();
  #requested = 0;
  /** The last reported state. */
  #reported: PauseChange = 'resume';
  /** The state requested of the page. */
  #wanted: PauseChange = 'resume';
  /** Number of the current capture: responses of an earlier one are ignored. */
  #capture = 0;
  #unanswered = 0;

  constructor(options: PauseSwitchOptions) {
    this.#options = options;
  }

  get list(): PauseList {
    return this.#list;
  }

  get all(): readonly RecordingPause[] {
    return this.#list.all;
  }

  /**
   * @param page null without a capture: the next capture begins in the state it then has
   * @throws Error when the page does not respond in time: then the state is unchanged
   */
  async switchTo(to: PauseChange, page: RecorderPage | null): Promise<{ atMs: number }> {
    const requested = (this.#requested += 1);
    this.#wanted = to;
    const { openSinceMs } = this.#list;
    // Only without a pending response: a page that is slow to resume would resume after this.
    if (to === 'pause' && openSinceMs !== null && this.#unanswered === 0) return this.#notify(to, openSinceMs);
    if (page === null) return this.#notify(to, this.#note(to, this.#options.clock.now()));
    const response = this.#sendRequest(to, page);
    try {
      return this.#notify(to, await withDeadline(response, this.#options.deadlineMs, whatTakesLong[to]));
    } catch (error) {
      if (requested === this.#requested) this.#wanted = this.#reported;
      void response.then(() => this.#switchBack(page)).catch(() => undefined);
      throw error;
    }
  }

  /** The capture is given up; the next one begins in the reported state. */
  release(): void {
    this.#capture += 1;
    this.#unanswered = 0;
    this.#wanted = this.#reported;
    if (this.#stands !== this.#reported) this.#note(this.#reported, this.#options.clock.now());
  }

  get #stands(): PauseChange {
    return this.#list.openSinceMs === null ? 'resume' : 'pause';
  }

  #notify(to: PauseChange, atMs: number): { atMs: number } {
    this.#reported = to;
    return { atMs };
  }

  #note(to: PauseChange, atMs: number): number {
    return to === 'pause' ? this.#list.begin(atMs) : this.#list.end(atMs);
  }

  async #switchBack(page: RecorderPage): Promise<void> {
    if (this.#stands !== this.#wanted) await this.#sendRequest(this.#wanted, page);
  }

  async #sendRequest(to: PauseChange, page: RecorderPage): Promise<number> {
    const capture = this.#capture;
    this.#unanswered += 1;
    try {
      const response = await page.evaluate(`globalThis.rapporteurRecorder.${to}()`);
      if (capture !== this.#capture) throw new Error('This capture was abandoned; another one replaces it.');
      return this.#note(to, numberAt(response, 'atMs'));
    } finally {
      if (capture === this.#capture) this.#unanswered -= 1;
    }
  }
}
