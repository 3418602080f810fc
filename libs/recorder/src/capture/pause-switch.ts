import { withinMs } from '../fragments/fragment-outlet.ts';
import type { RecorderPage, RecordingPause } from '../recorder-ports.ts';
import { numberAt } from './page-answer.ts';
import { PauseList } from './pause-list.ts';

type Turn = 'pause' | 'resume';

export interface PauseSwitchOptions {
  /** How long the page may take to answer. */
  readonly deadlineMs: number;
  /** Epoch ms. */
  readonly clock: { now(): number };
}

const whatTakesLong = { pause: 'Pausing the recording', resume: 'Resuming the recording' } as const;

/**
 * Pauses and resumes what captures, and keeps the list of it. What was told to have failed has not happened: a page that
 * does it late is turned back, unless the same was asked again meanwhile.
 */
export class PauseSwitch {
  readonly #options: PauseSwitchOptions;
  readonly #list = new PauseList();
  #asked = 0;
  /** How it stands for those who asked. */
  #told: Turn = 'resume';
  /** How it is to stand once the page has done what it was asked. */
  #wanted: Turn = 'resume';
  /** What an earlier capture answers is no news of the one that runs. */
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
   * @param page null while nothing captures: the next capture begins as it then stands
   * @throws Error when the page does not answer in time: then it stays as it was
   */
  async turn(to: Turn, page: RecorderPage | null): Promise<{ atMs: number }> {
    const asked = (this.#asked += 1);
    this.#wanted = to;
    const { openSinceMs } = this.#list;
    // Only while no answer is due: a page that is slow to resume would go on after this.
    if (to === 'pause' && openSinceMs !== null && this.#unanswered === 0) return this.#tell(to, openSinceMs);
    if (page === null) return this.#tell(to, this.#note(to, this.#options.clock.now()));
    const answer = this.#ask(to, page);
    try {
      return this.#tell(to, await withinMs(answer, this.#options.deadlineMs, whatTakesLong[to]));
    } catch (error) {
      if (asked === this.#asked) this.#wanted = this.#told;
      void answer.then(() => this.#turnBack(page)).catch(() => undefined);
      throw error;
    }
  }

  /** The capture is given up; the next one is to begin as those who asked were told. */
  letGo(): void {
    this.#capture += 1;
    this.#unanswered = 0;
    this.#wanted = this.#told;
    if (this.#stands !== this.#told) this.#note(this.#told, this.#options.clock.now());
  }

  get #stands(): Turn {
    return this.#list.openSinceMs === null ? 'resume' : 'pause';
  }

  #tell(to: Turn, atMs: number): { atMs: number } {
    this.#told = to;
    return { atMs };
  }

  #note(to: Turn, atMs: number): number {
    return to === 'pause' ? this.#list.begin(atMs) : this.#list.end(atMs);
  }

  async #turnBack(page: RecorderPage): Promise<void> {
    if (this.#stands !== this.#wanted) await this.#ask(this.#wanted, page);
  }

  async #ask(to: Turn, page: RecorderPage): Promise<number> {
    const capture = this.#capture;
    this.#unanswered += 1;
    try {
      const answer = await page.evaluate(`globalThis.rapporteurRecorder.${to}()`);
      if (capture !== this.#capture) throw new Error('What was recorded with is given up; another takes its place.');
      return this.#note(to, numberAt(answer, 'atMs'));
    } finally {
      if (capture === this.#capture) this.#unanswered -= 1;
    }
  }
}
