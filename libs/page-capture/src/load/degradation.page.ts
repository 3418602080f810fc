import { degradationSteps } from '@rapporteur/contracts/recording-terms';
import type { DegradationStep } from '@rapporteur/contracts';

/** Time constant of the average lateness: longer than the start of another program, shorter than a sentence. */
const averageMs = 3_000;
/** A longer lateness counts as this, and for no longer: one stall is no lack of CPU, many are. */
const latenessMostMs = 250;
/**
 * Average lateness at which a step is taken, and below which it is taken back. Beside other programs a bot that loses
 * nothing is 15 to 55 ms late; with less CPU than it needs 60 to 140 ms, or 30 to 60 ms and its audio is impaired.
 */
const fromMs = 60;
const untilMs = 30;
/** From this average on no further bot is to start on the machine. */
const fullMs = 45;
/** The average has to be as high for this long before the first step, and before another, which awaits its effect. */
const firstAfterMs = 1_000;
const nextAfterMs = 3_000;
/** And as low for this long before a step back: doubled when that turns out to be too early. */
const freeForMs = 20_000;
const freeForMostMs = 160_000;
/** A step back within this time was too early. */
const relapseMs = 60_000;

/** Share of the configured frame rate, and of width and height. */
export interface LoadLimits {
  readonly frameRate: number;
  readonly frameSize: number;
}

const limitsOf: Readonly<Record<DegradationStep, LoadLimits>> = {
  frame_rate: { frameRate: 1 / 3, frameSize: 1 },
  frame_size: { frameRate: 1 / 3, frameSize: 1 / 2 },
  // One frame a second: where the page cannot stop the video, it costs next to nothing here.
  incoming_video: { frameRate: 1 / 30, frameSize: 1 / 2 },
};

/** Decides by measured lateness what a recording gives up, one step after the other, and takes it back. Pure. */
export class Degradation {
  /** A recording begins on a machine that is busy with the join. */
  #averageMs = untilMs;
  #atMs: number | null = null;
  #taken = 0;
  /** Whether the average is high (1), low (-1) or between, and since when; also since the last step. */
  #trend = 0;
  #sinceMs = 0;
  #recoveredAtMs = -Infinity;
  #freeForMs = freeForMs;

  /** The lateness can cost audio. */
  get isBusy(): boolean {
    return this.#averageMs >= untilMs;
  }

  /** The machine has no CPU for another bot: it is about to give up video, or does. */
  get isLate(): boolean {
    return this.#averageMs >= fullMs || this.#taken > 0;
  }

  get step(): DegradationStep | null {
    return degradationSteps[this.#taken - 1] ?? null;
  }

  get limits(): LoadLimits {
    return this.step === null ? { frameRate: 1, frameSize: 1 } : limitsOf[this.step];
  }

  /**
   * @param lateMs how late the timers are, of the latest one
   * @param isImpaired whether the recorded audio is: then the lower of the limits applies
   * @returns whether the step has changed
   */
  observe(lateMs: number, nowMs: number, isImpaired = false): boolean {
    const passedMs = Math.min(latenessMostMs, nowMs - (this.#atMs ?? nowMs));
    this.#atMs = nowMs;
    this.#averageMs += (Math.min(lateMs, latenessMostMs) - this.#averageMs) * (1 - Math.exp(-passedMs / averageMs));
    const trend = this.#averageMs >= (isImpaired ? untilMs : fromMs) ? 1 : this.#averageMs < untilMs ? -1 : 0;
    if (trend !== this.#trend) this.#sinceMs = nowMs;
    this.#trend = trend;
    const lastedMs = nowMs - this.#sinceMs;
    if (
      trend === 1 &&
      lastedMs >= (this.#taken === 0 ? firstAfterMs : nextAfterMs) &&
      this.step !== degradationSteps.at(-1)
    ) {
      const isRelapse = nowMs - this.#recoveredAtMs < relapseMs;
      this.#freeForMs = isRelapse ? Math.min(freeForMostMs, this.#freeForMs * 2) : freeForMs;
      return this.#change(1, nowMs);
    }
    if (trend !== -1 || lastedMs < this.#freeForMs || this.#taken === 0) return false;
    this.#recoveredAtMs = nowMs;
    return this.#change(-1, nowMs);
  }

  #change(by: 1 | -1, nowMs: number): true {
    this.#taken += by;
    this.#sinceMs = nowMs;
    // What came before says nothing of the effect.
    this.#averageMs = 0;
    return true;
  }
}
