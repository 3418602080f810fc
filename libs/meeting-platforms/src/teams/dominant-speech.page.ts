import type { SpeechChange } from '../speech-detector.page.ts';

export interface DominantSpeechLimits {
  /** A shorter pause is part of the turn. */
  readonly quietMs: number;
  /** Longest pause between two speakers. */
  readonly gapMs: number;
  /** Longest time from the report of a new dominant speaker until its audio is played. */
  readonly settleMs: number;
}

/**
 * Joins two layers into turns: the channel reports the dominant speaker, the level of the mix reports speech. The
 * channel is ahead of the audio, which is buffered, so a new name begins with the first audio after a gap. Pure: time
 * comes with each call.
 */
export class DominantSpeech {
  readonly #limits: DominantSpeechLimits;
  #dominant: string | null = null;
  #next: { readonly id: string; readonly atMs: number } | null = null;
  #open: { readonly key: string; lastLoudMs: number } | null = null;

  constructor(limits: DominantSpeechLimits) {
    this.#limits = limits;
  }

  /** The dominant speaker of the audio that is played now. */
  get dominant(): string | null {
    return this.#dominant ?? this.#next?.id ?? null;
  }

  get speaking(): string | null {
    return this.#open?.key ?? null;
  }

  /** The channel names a dominant speaker. */
  dominates(id: string, atMs: number): void {
    this.#next = id === this.#dominant ? null : { id, atMs };
  }

  /** One sample of the level of the mix. Returns the speech that began and ended. */
  hear(loud: boolean, atMs: number): SpeechChange[] {
    this.#switchTo(loud, atMs);
    const changes: SpeechChange[] = [];
    const open = this.#open;
    const over = open !== null && (open.key !== this.#dominant || atMs - open.lastLoudMs >= this.#limits.quietMs);
    if (over) changes.push(...this.end());
    if (!loud || this.#dominant === null) return changes;
    if (this.#open === null) {
      this.#open = { key: this.#dominant, lastLoudMs: atMs };
      changes.push({ key: this.#dominant, speaking: true, atMs });
    }
    this.#open.lastLoudMs = atMs;
    return changes;
  }

  /** Ends the open turn, e.g. because another layer takes over. */
  end(): SpeechChange[] {
    const open = this.#open;
    this.#open = null;
    return open === null ? [] : [{ key: open.key, speaking: false, atMs: open.lastLoudMs }];
  }

  #switchTo(loud: boolean, atMs: number): void {
    if (this.#next === null) return;
    const { gapMs, settleMs } = this.#limits;
    const inGap = this.#open === null || (!loud && atMs - this.#open.lastLoudMs >= gapMs);
    if (this.#dominant !== null && !inGap && atMs - this.#next.atMs < settleMs) return;
    this.#dominant = this.#next.id;
    this.#next = null;
  }
}
