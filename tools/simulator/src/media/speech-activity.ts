/**
 * Detects speakers from the levels of each 20 ms; the dominant speaker changes only when another has been loudest for a
 * while.
 */
export class SpeechActivity {
  readonly #levels = new Map<number, { atMs: number; levelDbov: number }>();
  #dominant: number | null = null;
  #challenger: { participantIndex: number; sinceMs: number } | null = null;

  /** `levelDbov`: 0 is loudest, 127 is no speech. */
  add(participantIndex: number, levelDbov: number, nowMs: number): void {
    if (levelDbov <= QUIETEST_SPEECH_DBOV) this.#levels.set(participantIndex, { atMs: nowMs, levelDbov });
  }

  /** All recent speakers, loudest first. */
  speaking(nowMs: number): number[] {
    return [...this.#levels]
      .filter(([, { atMs }]) => nowMs - atMs <= STILL_SPEAKING_MS)
      .toSorted(([, one], [, other]) => one.levelDbov - other.levelDbov)
      .map(([participantIndex]) => participantIndex);
  }

  /** The dominant speaker; the last one through silence. Null until the first speech. */
  dominant(nowMs: number): number | null {
    const [loudest] = this.speaking(nowMs);
    if (loudest === undefined || loudest === this.#dominant) {
      this.#challenger = null;
      return this.#dominant;
    }
    const waits = this.#dominant !== null && this.speaking(nowMs).includes(this.#dominant);
    if (this.#challenger?.participantIndex !== loudest)
      this.#challenger = { participantIndex: loudest, sinceMs: nowMs };
    if (!waits || nowMs - this.#challenger.sinceMs >= TAKES_OVER_AFTER_MS) this.#dominant = loudest;
    return this.#dominant;
  }
}

const QUIETEST_SPEECH_DBOV = 50;
const STILL_SPEAKING_MS = 200;
const TAKES_OVER_AFTER_MS = 300;
