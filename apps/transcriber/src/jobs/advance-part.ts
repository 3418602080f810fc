import { storableJson } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { emptyTranscript, SpeechToTextFailure } from '@rapporteur/speech-to-text';
import type { BatchProvider, Submitted, Transcript } from '@rapporteur/speech-to-text';
import type { EventDefinition } from '@rapporteur/contracts';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { JobRow, PartRow } from '../schema/entities.ts';
import type { BotFiles, OpenBotFiles } from '../storage/recording-store.ts';
import { audioOf } from '../audio/part-audio.ts';
import type { TranscriberMeasurements } from '../metrics.ts';
import type { OpenProvider } from '../provider-access/open-provider.ts';
import { changePart } from './jobs.store.ts';
import type { PartChange } from './jobs.store.ts';
import type { CallbackAddresses } from './callback-address.ts';

export interface PartWork {
  readonly dependencies: JobDependencies;
  readonly job: JobRow;
  readonly provider: BatchProvider;
  readonly files: BotFiles;
}

/** ended: transcribed, or failed for good. */
export type PartProgress = 'ended' | 'processing';

const mostSubmissions = 3;
/** How long a result is awaited that only a callback can deliver. */
const callbackWaitMs = 1_800_000;
/** A job that is unknown for longer is submitted again, and charged again. */
const showsJobWithinMs = 60_000;

/** Advances one audio file as far as possible now. Rejects with SpeechToTextFailure, LeaseLost or RecordingGone. */
export async function advancePart(work: PartWork, part: PartRow): Promise<PartProgress> {
  if (part.state === 'transcribed' || part.state === 'failed') return 'ended';
  if (part.state === 'submitted') return await readJob(work, part);
  if (part.state === 'submitting') return await resumeSubmission(work, part);
  return await submit(work, part);
}

/** The process that submitted died, or its request got no response: the provider may have the job. */
async function resumeSubmission(work: PartWork, part: PartRow): Promise<PartProgress> {
  const { provider } = work;
  const { reference, upload } = part;
  const jobId = await provider.find({ reference, upload });
  if (jobId !== null) return await readJob(work, await noteJob(work, part, jobId));
  // The provider cannot search for the job, but sends a callback if it has it.
  if (!provider.findsJobs && provider.reportsEnd && callbackUrlOf(work, part) !== null && !isLate(work, part))
    return 'processing';
  return await submit(work, part);
}

async function submit(work: PartWork, part: PartRow): Promise<PartProgress> {
  const { provider, files, dependencies, job } = work;
  if (part.submissions >= mostSubmissions) {
    const reason = job.message ?? 'There was no result.';
    throw new SpeechToTextFailure('failed', `${reason} It was attempted ${mostSubmissions} times.`);
  }
  // Counted before the work begins: a process that dies of it must not repeat it without end.
  const counted = await change(work, part, { submissions: part.submissions + 1 });
  const audio = audioOf(files, part);
  const upload = part.upload ?? (await provider.upload(audio).catch(notSubmitted(work, part)));
  const begun = await change(work, counted, {
    upload,
    state: 'submitting',
    submitted_at: new Date(dependencies.clock.now()),
  });
  const submitted = await provider
    .submit({
      reference: part.reference,
      audio,
      upload,
      callbackUrl: callbackUrlOf(work, part),
      speakers: part.participant === null ? 'several' : 'one',
    })
    .catch(async (error: unknown) => {
      const reached = error instanceof SpeechToTextFailure && !error.refused;
      if (reached) throw error;
      return await notSubmitted(work, { ...part, upload })(error);
    });
  return await noteSubmitted(work, begun, submitted);
}

/** No job exists at the provider: the attempt does not count. Rethrows the error. */
function notSubmitted(work: PartWork, { number, submissions, upload }: PartRow): (error: unknown) => Promise<never> {
  return async (error) => {
    await changePart(work.dependencies.database, work.job, number, { state: 'waiting', submissions, upload });
    throw error;
  };
}

async function noteSubmitted(work: PartWork, part: PartRow, submitted: Submitted): Promise<PartProgress> {
  if (submitted.kind === 'transcript') {
    return await noteTranscript(work, part, submitted.transcript, { provider_job_id: submitted.jobId });
  }
  await noteJob(work, part, submitted.jobId);
  return 'processing';
}

async function noteJob(work: PartWork, part: PartRow, jobId: string): Promise<PartRow> {
  return await change(work, part, { state: 'submitted', provider_job_id: jobId });
}

async function readJob(work: PartWork, part: PartRow): Promise<PartProgress> {
  const { provider } = work;
  const state = await provider.read(part.provider_job_id ?? '').catch(async (error: unknown) => {
    if (error instanceof SpeechToTextFailure && error.kind === 'lost') return 'lost' as const;
    throw error;
  });
  if (state !== 'lost' && state.kind === 'transcript') return await noteTranscript(work, part, state.transcript);
  if (state === 'lost' && isNew(work, part)) return 'processing';
  if (state !== 'lost' && (provider.findsJobs || !isLate(work, part))) return 'processing';
  const again = await change(work, part, { state: 'waiting', provider_job_id: null, upload: null });
  return await submit(work, again);
}

/** Stores an empty transcript: no participant spoke. Sends no request to the provider. */
export async function noteNoSpeech(work: Pick<PartWork, 'dependencies' | 'job'>, part: PartRow): Promise<void> {
  if (part.state === 'waiting') await noteTranscript(work, part, emptyTranscript('No participant spoke.'));
}

async function noteTranscript(
  work: Pick<PartWork, 'dependencies' | 'job'>,
  part: PartRow,
  transcript: Transcript,
  more: PartChange = {},
): Promise<PartProgress> {
  await change(work, part, { ...more, state: 'transcribed', transcript: storableJson(transcript) });
  return 'ended';
}

async function change(
  { dependencies, job }: Pick<PartWork, 'dependencies' | 'job'>,
  part: PartRow,
  changes: PartChange,
): Promise<PartRow> {
  await changePart(dependencies.database, job, part.number, changes);
  return { ...part, ...changes };
}

function callbackUrlOf({ dependencies }: PartWork, { reference }: PartRow): string | null {
  return dependencies.addresses.of(reference);
}

function isLate({ dependencies }: PartWork, { submitted_at }: PartRow): boolean {
  return submitted_at === null || dependencies.clock.now() - submitted_at.getTime() > callbackWaitMs;
}

/** A provider may show a job, or the transcript of a finished one, some moments after it reported it. */
function isNew({ dependencies }: PartWork, { submitted_at }: PartRow): boolean {
  return submitted_at !== null && dependencies.clock.now() - submitted_at.getTime() < showsJobWithinMs;
}

export interface JobDependencies {
  readonly database: Database;
  readonly events: {
    add<T>(transaction: Executor, definition: EventDefinition<T>, data: T, id?: string): Promise<unknown>;
    notify(): void;
  };
  readonly openProvider: OpenProvider;
  readonly openBotFiles: OpenBotFiles;
  readonly addresses: CallbackAddresses;
  readonly ended: TranscriberMeasurements['ended'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: JobSettings;
}

interface JobSettings {
  readonly leaseMs: number;
  readonly pollFirstMs: number;
  readonly pollLongestMs: number;
  readonly retryFirstMs: number;
  readonly retryLongestMs: number;
}
