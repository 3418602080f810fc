import { backoffMs } from '@rapporteur/async';
import { repeatUntilStopped } from '@rapporteur/service-runtime';
import type { Repetition } from '@rapporteur/service-runtime';
import { SpeechToTextFailure } from '@rapporteur/speech-to-text';
import type { JobRow } from '../schema/rows.ts';
import { advanceJob, factsOf } from './advance-job.ts';
import type { JobProgress } from './advance-job.ts';
import type { JobDependencies } from './job-dependencies.ts';
import { claimJobs, extendLease, LeaseLost, releaseJob } from './jobs.store.ts';

export interface WorkerDependencies extends JobDependencies {
  /** Maximum number of concurrent jobs. */
  readonly concurrency: number;
  readonly sweepMs: number;
}

const shortestRestMs = 100;

/** Claims due jobs and advances them, up to the concurrency limit. */
export class JobWorker {
  readonly #dependencies: WorkerDependencies;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #sweep: Repetition;

  constructor(dependencies: WorkerDependencies) {
    this.#dependencies = dependencies;
    const { clock, sweepMs } = dependencies;
    this.#sweep = repeatUntilStopped(clock, sweepMs, () => this.#claim(), {
      restMs: Math.min(shortestRestMs, sweepMs),
    });
  }

  /** Jobs may be due: polls now. */
  notify(): void {
    this.#sweep.notify();
  }

  /** Aborts running jobs and releases their leases; another process continues them. Idempotent. */
  async stop(): Promise<void> {
    await this.#sweep.stop();
    this.#stopping.abort();
    await Promise.allSettled(this.#running);
  }

  async #claim(): Promise<void> {
    const { database, concurrency, settings, logger } = this.#dependencies;
    const free = concurrency - this.#running.size;
    if (free <= 0) return;
    const jobs = await claimJobs(database, { count: free, leaseMs: settings.leaseMs }).catch((error: unknown) => {
      logger.warn({ err: error }, 'Jobs that are due could not be read; trying again.');
      return [];
    });
    for (const job of jobs) {
      const work = this.#work(job).finally(() => {
        this.#running.delete(work);
        this.notify();
      });
      this.#running.add(work);
    }
  }

  async #work(job: JobRow): Promise<void> {
    const { database, logger } = this.#dependencies;
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, this.#stopping.signal]);
    const renewing = this.#renew(job, lost, signal);
    try {
      const progress = await advanceJob(this.#dependencies, job, signal);
      if (progress.kind === 'wait') await this.#release(job, progress);
    } catch (error) {
      if (this.#stopping.signal.aborted) {
        const { failures, polls } = job;
        await releaseJob(database, job, { waitMs: 0, failures, polls }).catch(() => undefined);
      } else if (!(error instanceof LeaseLost)) {
        logger.error({ err: error, ...factsOf(job) }, 'Work on a transcription broke off; it goes on later.');
      }
    } finally {
      lost.abort();
      await renewing;
    }
  }

  async #renew(job: JobRow, lost: AbortController, signal: AbortSignal): Promise<void> {
    const { clock, database, settings, logger } = this.#dependencies;
    while (!signal.aborted) {
      await clock.sleep(settings.leaseMs / 3, signal).catch(() => undefined);
      if (signal.aborted) return;
      await extendLease(database, job, settings.leaseMs).catch((error: unknown) => {
        if (error instanceof LeaseLost) lost.abort();
        else logger.warn({ err: error, ...factsOf(job) }, 'The lease of a transcription could not be renewed.');
      });
    }
  }

  async #release(job: JobRow, progress: Extract<JobProgress, { kind: 'wait' }>): Promise<void> {
    const { database, settings, logger } = this.#dependencies;
    if (progress.why === 'processing') {
      const waitMs = backoffMs(job.polls + 1, { firstMs: settings.pollFirstMs, longestMs: settings.pollLongestMs });
      await releaseJob(database, job, { waitMs, failures: 0, polls: job.polls + 1 });
      return;
    }
    const { error } = progress;
    const waitMs = backoffMs(job.failures + 1, {
      firstMs: settings.retryFirstMs,
      longestMs: settings.retryLongestMs,
      requestedMs: error instanceof SpeechToTextFailure ? error.retryAfterMs : undefined,
      jitter: 0.4,
    });
    logger.warn({ err: error, waitMs, ...factsOf(job) }, 'A transcription could not go on; it is tried again.');
    await releaseJob(database, job, { waitMs, failures: job.failures + 1, polls: job.polls });
  }
}
