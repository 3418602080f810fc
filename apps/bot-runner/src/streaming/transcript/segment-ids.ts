const mostKept = 200;

/**
 * Segment ids of a provider's utterances. An utterance that a lost session left open is continued by the next session.
 */
export class SegmentIds {
  readonly #prefix: string;
  #count = 0;
  #ids = new Map<string, { readonly id: string; isOpen: boolean }>();
  #inherited: string[] = [];

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(key: string, isFinal: boolean): string {
    const known = this.#ids.get(key) ?? { id: this.#inherited.shift() ?? this.#newId(), isOpen: true };
    known.isOpen &&= !isFinal;
    this.#ids.set(key, known);
    const [oldest] = this.#ids.keys();
    if (this.#ids.size > mostKept && oldest !== undefined) this.#ids.delete(oldest);
    return known.id;
  }

  /** Null for an unknown utterance. */
  known(key: string): string | null {
    return this.#ids.get(key)?.id ?? null;
  }

  newSession(): void {
    this.#inherited.push(...[...this.#ids.values()].filter(({ isOpen }) => isOpen).map(({ id }) => id));
    this.#ids = new Map();
  }

  #newId(): string {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }
}
