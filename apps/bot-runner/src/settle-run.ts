import type { AttendanceEnd, BotInvocation, Artifact } from '@rapporteur/contracts';
import { systemClock } from '@rapporteur/service-runtime/process';
import type { Logger } from '@rapporteur/service-runtime/process';
import { exitCodes } from './exit-codes.ts';
import type { Finalized } from './finalize/finalize.ts';
import type { Lease } from './lease/lease.ts';
import type { Reporter } from './reporting/reporter.ts';
import type { Termination } from './termination.ts';
import type { GrantStore } from './upload/grant-store.ts';

const releaseTimeoutMs = 3_000;

/** How long a command's result waits until the resulting status is in the database. */
const statusAppliedMs = 2_000;
/** For data that a replaced run has not stored yet: no other run has it. */
export const handOverMs = 20_000;

export interface SettlingRun {
  readonly invocation: BotInvocation;
  readonly reporter: Reporter;
  readonly lease: Lease;
  readonly store: GrantStore;
  readonly termination: Termination;
  readonly fence: AbortController;
  readonly logger: Logger;
}

/** Waits until the scheduler has confirmed all reports. @returns the exit code */
export async function settle(
  { reporter, lease, logger, store, termination }: SettlingRun,
  finalized?: Finalized,
): Promise<number> {
  lease.outlastDisconnection();
  if (await reporter.settle(termination.drain)) {
    if (finalized?.outcome === 'stored' && !lease.isLost) await releaseFragments(store, finalized.artifacts, logger);
    return lease.isLost ? exitCodes.fenced : exitCodes.done;
  }
  logger.warn({ unapplied: reporter.unapplied }, 'The scheduler has not confirmed every report.');
  return reporter.allSent ? exitCodes.done : exitCodes.unfinished;
}

/** Another run records: it ends the bot, and makes the artifacts of both runs' fragments. @returns the exit code */
export async function handOver(run: SettlingRun, storing: readonly Promise<unknown>[]): Promise<number> {
  run.logger.info({}, 'Another run records in the place of this one; storing what is left.');
  await Promise.all(storing);
  return await settle(run);
}

/** Whether this run was to replace another one, was not admitted, and the other one continues. */
export async function isCalledOff(run: SettlingRun, { joinedAt }: AttendanceEnd): Promise<boolean> {
  if (run.invocation.rejoin === null || joinedAt !== null) return false;
  await untilApplied(run, run.fence.signal);
  return run.lease.isLost;
}

/** A client that reads the status after a command's result reads the status set by the command. */
export async function untilApplied(
  { reporter, lease }: Pick<SettlingRun, 'reporter' | 'lease'>,
  signal: AbortSignal,
): Promise<void> {
  const until = systemClock.monotonic() + statusAppliedMs;
  const { sequence } = reporter;
  while (!reporter.isApplied(sequence) && systemClock.monotonic() < until && !signal.aborted) {
    lease.renewNow();
    await systemClock.sleep(100);
  }
}

/**
 * Releases the fragments of a recording whose artifacts are stored and reported. When that fails they stay until the
 * bot's data is deleted.
 */
async function releaseFragments(store: GrantStore, artifacts: readonly Artifact[], logger: Logger): Promise<void> {
  try {
    await store.release(artifacts, AbortSignal.timeout(releaseTimeoutMs));
  } catch (error) {
    logger.warn({ err: error }, 'The fragments of the recording could not be released; they stay beside it.');
  }
}
