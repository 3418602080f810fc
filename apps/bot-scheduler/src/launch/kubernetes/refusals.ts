import { isRefused } from '../launcher.ts';
import type { StartObstacle } from '../launcher.ts';

/** Initial limit of Jobs without a pod. */
const firstWindow = 20;
const largestWindow = 1_000;
/** A quota refuses every pod; other rules may refuse some bots and accept the next. */
const probesOf = (obstacle: StartObstacle): number => (obstacle.cause === 'quota-exceeded' ? 1 : 5);
/** A refusal expires after this time unless a later launch is refused. */
const keptMs = 30_000;

/**
 * Limits the Jobs whose pods are not created yet. The cluster accepts Jobs whose pods it refuses: a window of Jobs
 * without a pod keeps them few. It grows with each created pod; a refusal reduces it to a few probes.
 */
export class LaunchWindow {
  readonly #now: () => number;
  #size = firstWindow;
  #refusal: { readonly obstacle: StartObstacle; readonly atMs: number } | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of launches allowed while so many runs have no pod. */
  room(runsWithoutPod: number): number {
    return Math.max(0, this.#size - runsWithoutPod);
  }

  /** Why the newest launches were refused; null: they were accepted. */
  refusal(): StartObstacle | null {
    return this.#refusal !== null && this.#now() - this.#refusal.atMs < keptMs ? this.#refusal.obstacle : null;
  }

  refused(obstacle: StartObstacle): void {
    if (!isRefused(obstacle)) return;
    this.#size = probesOf(obstacle);
    this.#refusal = { obstacle, atMs: this.#now() };
  }

  /** A pod was created. Returns true if pods were refused before. */
  accepted(): boolean {
    this.#size = Math.min(largestWindow, this.#size + 1);
    const opened = this.refusal() !== null;
    this.#refusal = null;
    return opened;
  }
}
