import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderJobs, SimulatedJob } from './provider-jobs.ts';

const attempts = 3;
const timeoutMs = 5_000;

/**
 * Calls the customer's address when the job is done, as providers do: retries after a failure, or as set by a fault.
 */
export async function reportEnd(jobs: ProviderJobs, job: SimulatedJob, body: unknown): Promise<void> {
  if (job.callbackUrl === null || job.lost) return;
  await sleep(jobs.processingMs + 20);
  if (jobs.takeFault(job.provider, 'callback', ['callback-lost']) !== null) return;
  const times = jobs.takeFault(job.provider, 'callback', ['callback-twice']) === null ? 1 : 2;
  for (let time = 0; time < times; time += 1) await call(job.callbackUrl, body);
}

async function call(url: string, body: unknown): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isHeard = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHeard) return;
    await sleep(100 * 2 ** attempt);
  }
}
