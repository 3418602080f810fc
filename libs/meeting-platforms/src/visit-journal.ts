import type { VisitEnd, VisitLog, VisitSignal, VisitState } from './platform.ts';

const mostSteps = 200;
const mostConsoleLines = 60;
const longestConsoleLine = 300;

/** What a visit tells its listeners, and what it remembers for the evidence. */
export class VisitJournal {
  readonly #log: VisitLog;
  readonly #now: () => number;
  readonly #listeners = new Set<(signal: VisitSignal) => void>();
  readonly #steps: { step: string; atMs: number }[] = [];
  readonly #console: string[] = [];
  #state: VisitState = 'joining';
  #rule: string | null = null;
  #ended = false;

  constructor(log: VisitLog, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  get state(): VisitState {
    return this.#state;
  }

  get rule(): string | null {
    return this.#rule;
  }

  get steps(): readonly { step: string; atMs: number }[] {
    return this.#steps;
  }

  get consoleTail(): readonly string[] {
    return this.#console;
  }

  listen(listener: (signal: VisitSignal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(signal: VisitSignal): void {
    for (const listener of this.#listeners) {
      try {
        listener(signal);
      } catch (error) {
        this.#log.warn({ err: error, signal: signal.kind }, 'A listener of the meeting failed; the meeting goes on.');
      }
    }
  }

  /** Kept and told without addresses' queries: a passcode travels there. */
  step(what: string): void {
    const step = withoutQueries(what);
    const atMs = this.#now();
    if (this.#steps.length < mostSteps) this.#steps.push({ step, atMs });
    this.tell({ kind: 'step', step, atMs });
  }

  /** The rule that the last reading of the page matched. */
  readBy(rule: string): void {
    this.#rule = rule;
  }

  enter(state: VisitState): void {
    if (state === this.#state && this.#steps.some(({ step }) => step === state)) return;
    this.#state = state;
    this.step(state);
    this.tell({ kind: 'state', state, atMs: this.#now() });
  }

  /** The end of a visit that was in the call; only the first one counts. */
  end(end: VisitEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.enter('over');
    this.tell({ kind: 'ended', end });
  }

  /** Addresses lose their query, where tokens and names travel. */
  consoleLine(text: string): void {
    this.#console.push(withoutQueries(text.slice(0, longestConsoleLine)));
    if (this.#console.length > mostConsoleLines) this.#console.shift();
  }
}

function withoutQueries(text: string): string {
  return text.replaceAll(/(https?:\/\/[^\s?]+)\?\S*/g, '$1');
}
