import type { SoundWayName, WayReason } from '@rapporteur/contracts';

export interface SoundSigns {
  readonly nowMs: number;
  /** When the mix was last more than silence; null: never. */
  readonly loudAtMs: number | null;
  /** Somebody speaks, as the page shows it. */
  readonly speaking: boolean;
  /** Changes with the set of tracks that the source offers. */
  readonly offer: string;
  readonly refused: ReadonlySet<SoundWayName>;
}

export type SoundStep =
  /** The same tracks, read and played anew. */
  | { readonly kind: 'renew' }
  | {
      readonly kind: 'turn';
      readonly from: SoundWayName | null;
      readonly to: SoundWayName;
      readonly reason: WayReason;
    };

/** So long somebody must speak in silence before anything is done, and again before the next thing is. */
export const speechInSilenceMs = 3_000;
/** Somebody who makes short pauses still speaks. */
const speechPauseMs = 1_000;
/** Sound of the page is kept at least so long before tracks that changed are believed again. */
const tabStayMs = 60_000;
/** After everything was tried the tracks get another chance, and rest is kept. */
const soundRestMs = 120_000;

/** Chooses where the sound comes from. Pure but for its memory. */
export class SoundChooser {
  #current: SoundWayName | null = null;
  #turnedAtMs = -Infinity;
  #renewed = false;
  #restUntilMs = -Infinity;
  #silentSinceMs: number | null = null;
  #spokeAtMs = -Infinity;
  #offerAtTurn = '';

  get current(): SoundWayName | null {
    return this.#current;
  }

  choose(signs: SoundSigns): SoundStep | null {
    if (this.#current === null) return this.#turn('tracks', 'chosen', signs);
    const { nowMs } = signs;
    const changed = signs.offer !== this.#offerAtTurn;
    if (this.#current !== 'tracks' && changed && signs.offer !== '' && nowMs - this.#turnedAtMs >= tabStayMs)
      return this.#turn('tracks', 'tried_again', signs);
    if (!this.#silentFor(signs)) return null;
    if (nowMs < this.#restUntilMs) return null;
    return this.#next(signs);
  }

  #silentFor({ nowMs, speaking, loudAtMs }: SoundSigns): boolean {
    if (speaking) this.#spokeAtMs = nowMs;
    if (nowMs - this.#spokeAtMs > speechPauseMs) this.#silentSinceMs = null;
    else if (speaking) this.#silentSinceMs ??= nowMs;
    if (loudAtMs !== null && nowMs - loudAtMs < speechInSilenceMs) {
      this.#silentSinceMs = null;
      this.#renewed = false;
    }
    return this.#silentSinceMs !== null && nowMs - this.#silentSinceMs >= speechInSilenceMs;
  }

  #next(signs: SoundSigns): SoundStep {
    this.#silentSinceMs = signs.nowMs;
    if (this.#current === 'tracks' && !this.#renewed && signs.offer !== '') {
      this.#renewed = true;
      return { kind: 'renew' };
    }
    const order: readonly SoundWayName[] = ['tracks', 'played', 'tab'];
    const further = order.slice(order.indexOf(this.#current ?? 'tracks') + 1);
    const way = further.find((one) => !signs.refused.has(one));
    if (way !== undefined) return this.#turn(way, 'silent', signs);
    this.#restUntilMs = signs.nowMs + soundRestMs;
    this.#renewed = false;
    return this.#current === 'tracks' ? { kind: 'renew' } : this.#turn('tracks', 'silent', signs);
  }

  #turn(to: SoundWayName, reason: WayReason, { nowMs, offer }: SoundSigns): SoundStep {
    const from = this.#current;
    this.#current = to;
    this.#turnedAtMs = nowMs;
    this.#offerAtTurn = offer;
    return { kind: 'turn', from, to, reason };
  }
}
