import { isRefused } from '../launcher.ts';
import type { StartObstacle } from '../launcher.ts';

/** Initial limit of Jobs without a pod. */
const firstWindow = 20;
const largestWindow = 1_000;
/** A rule for pods may refuse some bots and accept the next; a quota, and a refused Job, are found out by one launch. */
const probesOf = (obstacle: StartObstacle): number => (obstacle.cause === 'pod-refused' ? 5 : 1);
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

  /** Why the newest launches were refused or failed; null: they were accepted. */
  refusal(): StartObstacle | null {
    return this.#refusal !== null && this.#now() - this.#refusal.atMs < keptMs ? this.#refusal.obstacle : null;
  }

  refused(obstacle: StartObstacle): void {
    if (isRefused(obstacle)) this.#size = probesOf(obstacle);
    this.#refusal = { obstacle, atMs: this.#now() };
  }

  /** A pod was created. Returns true if launches were refused before. */
  accepted(): boolean {
    this.#size = Math.min(largestWindow, this.#size + 1);
    const opened = this.refusal() !== null;
    this.#refusal = null;
    return opened;
  }
}
