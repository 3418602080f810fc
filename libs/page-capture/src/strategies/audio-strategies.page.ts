import type { AudioStrategyName, StrategyReason } from '@rapporteur/contracts';

export interface AudioSigns {
  readonly nowMs: number;
  /** When the mix was last more than silence; null: never. */
  readonly loudAtMs: number | null;
  /** A participant speaks, according to the page. */
  readonly speaking: boolean;
  /** Changes with the set of tracks that the source offers. */
  readonly offer: string;
  readonly refused: ReadonlySet<AudioStrategyName>;
}

export type AudioStep =
  /** Reads and plays the same tracks again. */
  | { readonly kind: 'renew' }
  | {
      readonly kind: 'switch';
      readonly from: AudioStrategyName | null;
      readonly to: AudioStrategyName;
      readonly reason: StrategyReason;
    };

/** Time of speech in a silent recording before a step is taken, and again before the next step. */
export const speechInSilenceMs = 3_000;
/** A speaker who makes short pauses still speaks. */
const speechPauseMs = 1_000;
/** Minimum time on the tab's audio before changed tracks are tried again. */
const tabStayMs = 60_000;
/** After all steps have failed the tracks are tried again, after this time. */
const audioRestMs = 120_000;

/** Chooses the source of the audio. Pure but for its memory. */
export class AudioChooser {
  #current: AudioStrategyName | null = null;
  #switchedAtMs = -Infinity;
  #renewed = false;
  #restUntilMs = -Infinity;
  #silentSinceMs: number | null = null;
  #spokeAtMs = -Infinity;
  #offerAtTurn = '';

  get current(): AudioStrategyName | null {
    return this.#current;
  }

  choose(signs: AudioSigns): AudioStep | null {
    if (this.#current === null) return this.#turn('tracks', 'chosen', signs);
    const { nowMs } = signs;
    const changed = signs.offer !== this.#offerAtTurn;
    if (this.#current !== 'tracks' && changed && signs.offer !== '' && nowMs - this.#switchedAtMs >= tabStayMs)
      return this.#turn('tracks', 'tried_again', signs);
    if (!this.#silentFor(signs)) return null;
    if (nowMs < this.#restUntilMs) return null;
    return this.#next(signs);
  }

  #silentFor({ nowMs, speaking, loudAtMs }: AudioSigns): boolean {
    if (speaking) this.#spokeAtMs = nowMs;
    if (nowMs - this.#spokeAtMs > speechPauseMs) this.#silentSinceMs = null;
    else if (speaking) this.#silentSinceMs ??= nowMs;
    if (loudAtMs !== null && nowMs - loudAtMs < speechInSilenceMs) {
      this.#silentSinceMs = null;
      this.#renewed = false;
    }
    return this.#silentSinceMs !== null && nowMs - this.#silentSinceMs >= speechInSilenceMs;
  }

  #next(signs: AudioSigns): AudioStep {
    this.#silentSinceMs = signs.nowMs;
    if (this.#current === 'tracks' && !this.#renewed && signs.offer !== '') {
      this.#renewed = true;
      return { kind: 'renew' };
    }
    const order: readonly AudioStrategyName[] = ['tracks', 'played', 'tab'];
    const further = order.slice(order.indexOf(this.#current ?? 'tracks') + 1);
    const strategy = further.find((one) => !signs.refused.has(one));
    if (strategy !== undefined) return this.#turn(strategy, 'silent', signs);
    this.#restUntilMs = signs.nowMs + audioRestMs;
    this.#renewed = false;
    return this.#current === 'tracks' ? { kind: 'renew' } : this.#turn('tracks', 'silent', signs);
  }

  #turn(to: AudioStrategyName, reason: StrategyReason, { nowMs, offer }: AudioSigns): AudioStep {
    const from = this.#current;
    this.#current = to;
    this.#switchedAtMs = nowMs;
    this.#offerAtTurn = offer;
    return { kind: 'switch', from, to, reason };
  }
}
