import type { BatchProvider } from '@rapporteur/speech-to-text';
import type { JobRow, PartRow } from '../schema/rows.ts';
import type { JobDependencies } from './job-dependencies.ts';
import { changePart, readParts } from './jobs.store.ts';

/** Deletes the provider's copies of a job. Rejects with SpeechToTextFailure or LeaseLost. */
export async function removeCopies(
  { database, openProvider, clock }: JobDependencies,
  job: JobRow,
  signal: AbortSignal,
): Promise<void> {
  const left = (await readParts(database, job.id)).filter(mayHaveCopy);
  if (left.length === 0) return;
  const provider = await openProvider(job.request, signal);
  for (const part of left) {
    const jobId = part.provider_job_id ?? (await findForgotten(provider, part));
    await provider.remove({ jobId, upload: part.upload, reference: part.reference });
    await changePart(database, job, part.number, { removed_at: new Date(clock.now()) });
  }
}

function mayHaveCopy({ state, removed_at, upload, provider_job_id, submissions }: PartRow): boolean {
  return removed_at === null && (state !== 'waiting' || upload !== null || provider_job_id !== null || submissions > 0);
}

/** The id of a job that was abandoned between its submission and the response. */
async function findForgotten(provider: BatchProvider, { reference, upload, submissions }: PartRow) {
  return submissions === 0 ? null : await provider.find({ reference, upload });
}
