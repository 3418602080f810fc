import { isRefused } from '../launcher.ts';
import type { StartObstacle } from '../launcher.ts';

/** Jobs whose pods were not seen yet, before any pod was. */
const firstWindow = 20;
const largestWindow = 1_000;
/** A quota refuses whatever comes first; other rules may refuse some bots and accept the next. */
const probesOf = (obstacle: StartObstacle): number => (obstacle.cause === 'quota-exceeded' ? 1 : 5);
/** Launches that follow a refusal keep it current. */
const keptMs = 30_000;

/**
 * How many Jobs may wait for their pods to be created. The cluster accepts Jobs whose pods it refuses: a window of Jobs without
 * a pod keeps them few. It grows with each pod that is created, and a refusal closes it to a few probes.
 */
export class LaunchWindow {
  readonly #now: () => number;
  #size = firstWindow;
  #refusal: { readonly obstacle: StartObstacle; readonly atMs: number } | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Launches that may follow while so many runs have no pod. */
  room(runsWithoutPod: number): number {
    return Math.max(0, this.#size - runsWithoutPod);
  }

  /** Why the newest launches were refused; null: they were not. */
  refusal(): StartObstacle | null {
    return this.#refusal !== null && this.#now() - this.#refusal.atMs < keptMs ? this.#refusal.obstacle : null;
  }

  refused(obstacle: StartObstacle): void {
    if (!isRefused(obstacle)) return;
    this.#size = probesOf(obstacle);
    this.#refusal = { obstacle, atMs: this.#now() };
  }

  /** A pod was created. True: pods were refused until now. */
  accepted(): boolean {
    this.#size = Math.min(largestWindow, this.#size + 1);
    const opened = this.refusal() !== null;
    this.#refusal = null;
    return opened;
  }
}
