export interface SpeechChange {
  /** The caller's own key of the speech. */
  readonly key: string;
  readonly speaking: boolean;
  /** Epoch ms of the first, or of the last, sample that was loud. */
  readonly atMs: number;
}

export interface SpeechLimits {
  /** 0..1; audio levels from here on count as speaking. */
  readonly loudLevel: number;
  /** A shorter pause is part of the turn. */
  readonly quietMs: number;
}

/** Turns levels into speech. Pure: time comes with each sample. */
export class SpeechDetector {
  readonly #limits: SpeechLimits;
  readonly #lastLoudMs = new Map<string, number>();

  constructor(limits: SpeechLimits) {
    this.#limits = limits;
  }

  /** Keys that speak, in order of beginning. */
  get speaking(): string[] {
    return [...this.#lastLoudMs.keys()];
  }

  /** One poll: the levels since the last one. Returns the keys that began and ended. */
  observe(levels: ReadonlyMap<string, number>, atMs: number): SpeechChange[] {
    const changes: SpeechChange[] = [];
    for (const [key, level] of levels) {
      if (level < this.#limits.loudLevel) continue;
      if (!this.#lastLoudMs.has(key)) changes.push({ key, speaking: true, atMs });
      this.#lastLoudMs.set(key, atMs);
    }
    for (const [key, lastLoudMs] of this.#lastLoudMs) {
      if (atMs - lastLoudMs < this.#limits.quietMs) continue;
      this.#lastLoudMs.delete(key);
      changes.push({ key, speaking: false, atMs: lastLoudMs });
    }
    return changes;
  }

  /** Ends all speech, e.g. because another layer took over. */
  endAll(): SpeechChange[] {
    const changes = [...this.#lastLoudMs].map(([key, atMs]) => ({ key, speaking: false, atMs }));
    this.#lastLoudMs.clear();
    return changes;
  }
}
