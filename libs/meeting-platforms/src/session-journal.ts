import type { SessionEnd, SessionLog, SessionSignal, SessionState } from './platform.ts';

const mostSteps = 200;
const mostConsoleLines = 60;
const longestConsoleLine = 300;
const longestText = 10_000;

/** Emits a session's signals to its listeners and stores the journal for the evidence. */
export class SessionJournal {
  readonly #log: SessionLog;
  readonly #now: () => number;
  readonly #listeners = new Set<(signal: SessionSignal) => void>();
  readonly #steps: { step: string; atMs: number }[] = [];
  readonly #console: string[] = [];
  #state: SessionState = 'joining';
  #rule: string | null = null;
  #said: string | null = null;
  #ended = false;

  constructor(log: SessionLog, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  get state(): SessionState {
    return this.#state;
  }

  get rule(): string | null {
    return this.#rule;
  }

  /** The page's own sentence that the last reading found; null: none. */
  get said(): string | null {
    return this.#said;
  }

  get steps(): readonly { step: string; atMs: number }[] {
    return this.#steps;
  }

  get consoleTail(): readonly string[] {
    return this.#console;
  }

  listen(listener: (signal: SessionSignal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(signal: SessionSignal): void {
    for (const listener of this.#listeners) {
      try {
        listener(signal);
      } catch (error) {
        this.#log.warn({ err: error, signal: signal.kind }, 'A listener of the meeting failed; the meeting continues.');
      }
    }
  }

  /** Stored and emitted without the queries of addresses: they may contain a passcode. */
  step(what: string): void {
    const step = withoutQueries(what);
    const atMs = this.#now();
    if (this.#steps.length < mostSteps) this.#steps.push({ step, atMs });
    this.notify({ kind: 'step', step, atMs });
  }

  /** The rule that the last reading of the page matched, and the sentence in which it did. */
  readBy(rule: string, said: string | null = null): void {
    this.#rule = rule;
    this.#said = said;
  }

  enter(state: SessionState): void {
    if (state === this.#state && this.#steps.some(({ step }) => step === state)) return;
    this.#state = state;
    this.step(state);
    this.notify({ kind: 'state', state, atMs: this.#now() });
  }

  /** The end of a session that was in the call; only the first one counts. */
  end(end: SessionEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.enter('over');
    this.notify({ kind: 'ended', end });
  }

  /** Addresses lose their query, where tokens and names travel. */
  consoleLine(text: string): void {
    this.#console.push(withoutQueries(text.slice(0, longestConsoleLine)));
    if (this.#console.length > mostConsoleLines) this.#console.shift();
  }
}

function withoutQueries(text: string): string {
  return text.slice(0, longestText).replaceAll(/\S+/g, (word) => {
    const address = word.search(/https?:\/\//);
    const query = address === -1 ? -1 : word.indexOf('?', address);
    return query === -1 ? word : word.slice(0, query);
  });
}
