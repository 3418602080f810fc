import { backoffMs } from '@rapporteur/async';
import { SpeechToTextFailure } from '@rapporteur/speech-to-text';
import { LeaseLost, QueueWorker } from '@rapporteur/work-queue';
import type { JobRow } from '../schema/entities.ts';
import { advanceJob, factsOf } from './advance-job.ts';
import type { JobProgress } from './advance-job.ts';
import type { JobDependencies } from './advance-part.ts';
import { dueJobs } from './jobs.store.ts';

export interface WorkerDependencies extends JobDependencies {
  /** Maximum number of concurrent jobs. */
  readonly concurrency: number;
  readonly sweepMs: number;
}

const shortestRestMs = 100;

/** Advances due jobs. When it stops, running jobs are aborted and released; another process continues them. */
export function startJobWorker(dependencies: WorkerDependencies): QueueWorker<JobRow> {
  const { clock, logger, database, concurrency, sweepMs, settings } = dependencies;
  const { leaseMs } = settings;
  return new QueueWorker<JobRow>({
    clock,
    logger,
    what: 'transcriptions',
    concurrency,
    pollMs: sweepMs,
    restMs: Math.min(shortestRestMs, sweepMs),
    claim: (limit) => dueJobs.claim(database, { limit, leaseMs }),
    work: (job, signal) => work(dependencies, job, signal),
    lease: { ms: leaseMs, extend: (job) => dueJobs.extend(database, job, { leaseMs }), factsOf },
  }).start();
}

async function work(dependencies: WorkerDependencies, job: JobRow, signal: AbortSignal): Promise<void> {
  const { database, logger } = dependencies;
  try {
    const progress = await advanceJob(dependencies, job, signal);
    if (progress.kind === 'wait') await postpone(dependencies, job, progress);
  } catch (error) {
    if (error instanceof LeaseLost || signal.reason instanceof LeaseLost) return;
    if (signal.aborted) await dueJobs.release(database, job, { dueInMs: 0 }).catch(() => undefined);
    else logger.error({ err: error, ...factsOf(job) }, 'Work on a transcription was interrupted; it continues later.');
  }
}

async function postpone(
  { database, settings, logger }: WorkerDependencies,
  job: JobRow,
  progress: Extract<JobProgress, { kind: 'wait' }>,
): Promise<void> {
  if (progress.why === 'processing') {
    const polls = job.polls + 1;
    const dueInMs = backoffMs(polls, { firstMs: settings.pollFirstMs, longestMs: settings.pollLongestMs });
    await dueJobs.release(database, job, { dueInMs, set: { failures: 0, polls, message: null } });
    return;
  }
  const { error } = progress;
  const failures = job.failures + 1;
  const waitMs = backoffMs(failures, {
    firstMs: settings.retryFirstMs,
    longestMs: settings.retryLongestMs,
    requestedMs: error instanceof SpeechToTextFailure ? error.retryAfterMs : undefined,
    jitter: 0.4,
  });
  logger.warn({ err: error, waitMs, ...factsOf(job) }, 'A transcription could not continue; it is tried again.');
  const { message } = progress;
  await dueJobs.release(database, job, {
    dueInMs: waitMs,
    set: { failures, ...(message === undefined ? {} : { message }) },
  });
}
