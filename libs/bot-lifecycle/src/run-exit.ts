import type { EndCode } from './end-reasons.ts';

/** How a runner's process or pod ended, as far as the launcher could see it. */
export interface RunExit {
  /** null when it ended by a signal, or when nobody saw. */
  readonly exitCode: number | null;
  /** Signal name such as SIGKILL; null when none or when nobody saw. */
  readonly signal: string | null;
  readonly outOfMemory: boolean;
}

const killedBySigkill = 128 + 9;
const endedBySigterm = 128 + 15;

/**
 * The end reason of a run that ended without saying why. `null`: the run is gone and nobody saw how, or it lives but
 * fell silent and is about to be killed. A runner that ends by itself reports first, so silence means force.
 */
export function endCodeOfDeadRun(exit: RunExit | null): EndCode {
  if (exit === null) return 'FORCE_KILLED';
  if (exit.outOfMemory) return 'OOM_KILLED';
  if (exit.signal === 'SIGTERM' || exit.exitCode === endedBySigterm) return 'SIGTERM';
  if (exit.signal === 'SIGKILL' || exit.exitCode === killedBySigkill) return 'FORCE_KILLED';
  if (exit.signal === null && exit.exitCode === null) return 'FORCE_KILLED';
  return 'GENERAL_ERROR';
}
