const mostLines = 20;
const mostCharacters = 4_000;

/** The last lines of a log, at most 20 of them and 4,000 characters in all. */
export function lastLines(text: string): string[] {
  return text
    .slice(-mostCharacters)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-mostLines);
}

const quietMs = 60_000;

/** Limits what repeats while a fault lasts to one line per cause and minute. */
export class LogLimit {
  readonly #now: () => number;
  readonly #writtenAtMs = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether a line about this is due, and of errors about one of this kind; it then counts as written. */
  takes(what: string, error?: unknown): boolean {
    const now = this.#now();
    for (const [written, atMs] of this.#writtenAtMs) if (now - atMs >= quietMs) this.#writtenAtMs.delete(written);
    const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
    const cause = `${what} ${String(code ?? name)}`;
    if (this.#writtenAtMs.has(cause)) return false;
    this.#writtenAtMs.set(cause, now);
    return true;
  }
}
