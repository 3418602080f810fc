import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { mapConcurrently } from '@rapporteur/async';
import { transcriptionEnded, transcriptionStarted } from '@rapporteur/contracts';
import { SpeechToTextFailure } from '@rapporteur/speech-to-text';
import type { BatchProvider, Span } from '@rapporteur/speech-to-text';
import { LeaseLost } from '@rapporteur/work-queue';
import { readArtifact, readFacts, storeArtifacts, transcriptIn } from '../artifacts/store-artifacts.ts';
import type { StoredTranscript } from '../artifacts/store-artifacts.ts';
import type { JobRow, PartRow, SpeakerName } from '../schema/entities.ts';
import { indexTranscript, readNames } from '../search/words.store.ts';
import { canCut } from '../audio/part-audio.ts';
import { RecordingGone } from '../storage/recording-store.ts';
import { advancePart, noteNoSpeech } from './advance-part.ts';
import type { PartProgress, PartWork, JobDependencies } from './advance-part.ts';
import { changePart, concludeJob, endJob, insertParts, readParts } from './jobs.store.ts';
import type { PartChange } from './jobs.store.ts';
import { cutSpans, planParts } from './plan-parts.ts';

/** The next step of a job. */
export type JobProgress =
  | { readonly kind: 'wait'; readonly why: 'processing' }
  | {
      readonly kind: 'wait';
      readonly why: 'failure';
      readonly error: unknown;
      /** Why an active job waits, as the customer reads it when its time is over. */
      readonly message?: string | null;
    }
  | { readonly kind: 'ended' };

const partsAtOnce = 3;
/** Consecutive unreadable responses before the job fails. */
const mostUnreadable = 5;

/** Advances a leased job as far as possible now. Throws LeaseLost. */
export async function advanceJob(
  dependencies: JobDependencies,
  job: JobRow,
  signal: AbortSignal,
): Promise<JobProgress> {
  if (job.state === 'removing') return await removeAndEnd(dependencies, job, signal);
  if (dependencies.clock.now() >= job.deadline_at.getTime()) {
    const message = ['The transcription was not done in time.', job.message].filter((one) => one !== null).join(' ');
    return await concludeFailed(dependencies, job, { message, signal });
  }
  try {
    const { openProvider, openBotFiles, database, events } = dependencies;
    if (job.failures === 0 && job.polls === 0) await noteStarted({ database, events }, job);
    const provider = await openProvider(job.request, signal);
    const { fencing } = job.request;
    const files = await openBotFiles({ botId: job.bot_id, teamId: job.team_id, fencing }, signal);
    const facts = await readFacts(files, job);
    let parts = await readParts(database, job.id);
    if (parts.length === 0) {
      const integrity = await readArtifact(files, job, 'integrity');
      await insertParts(database, job, planParts(job.request, { ...facts, integrity }));
      parts = await readParts(database, job.id);
    }
    if (parts.length === 0) throw new SpeechToTextFailure('rejected', nothingToRead(job));
    if (job.provider !== 'meeting_captions' && facts.isSilent) {
      for (const part of parts) await noteNoSpeech({ dependencies, job }, part);
    }
    const isDone = await advanceParts(dependencies, job, { provider, files, speech: facts.timeline });
    if (!isDone) return { kind: 'wait', why: 'processing' };
    parts = await readParts(database, job.id);
    throwIfNothingTranscribed(parts);
    const given = await readNames(database, job.bot_id);
    const names = given.filter(({ provider }) => provider === null || provider === job.provider);
    const beside = { timeline: facts.timeline, nowMs: dependencies.clock.now(), names };
    const stored = await storeArtifacts(files, job, parts, beside);
    await conclude(dependencies, job, { ...stored, given, names });
    return await removeAndEnd(dependencies, { ...job, state: 'removing' }, signal);
  } catch (error) {
    if (error instanceof LeaseLost || signal.aborted) throw error;
    const message = finalMessage(job, error);
    if (message === null) {
      const reason = error instanceof SpeechToTextFailure ? error.message : job.message;
      return { kind: 'wait', why: 'failure', error, message: reason };
    }
    dependencies.logger.warn({ err: error, ...factsOf(job) }, 'A transcription failed.');
    return await concludeFailed(dependencies, job, { message, signal });
  }
}

function nothingToRead({ provider }: JobRow): string {
  return provider === 'meeting_captions'
    ? 'The meeting offered no captions that the bot could read. Transcribe the recording with another provider.'
    : 'The recording has no audio.';
}

async function noteStarted({ database, events }: Pick<JobDependencies, 'database' | 'events'>, job: JobRow) {
  const { id: requestId, bot_id: botId, team_id: teamId } = job;
  await database.transaction(async (transaction) => {
    await events.add(transaction, transcriptionStarted, { requestId, botId, teamId });
  });
  events.notify();
}

/** Throws the first failure when no part has words and one failed. */
function throwIfNothingTranscribed(parts: readonly PartRow[]): void {
  const problem = parts.find(({ state }) => state === 'failed')?.problem ?? null;
  const hasWords = parts.some(
    ({ transcript }) => transcript !== null && transcriptIn(transcript).utterances.length > 0,
  );
  if (problem !== null && !hasWords) throw new SpeechToTextFailure('failed', problem);
}

/** True when every part has ended. The first failure that may pass is thrown after all running parts have ended. */
async function advanceParts(
  dependencies: JobDependencies,
  job: JobRow,
  { speech, ...work }: Pick<PartWork, 'provider' | 'files'> & { readonly speech: readonly Span[] },
): Promise<boolean> {
  const failures: unknown[] = [];
  const progress = await mapConcurrently(await readParts(dependencies.database, job.id), partsAtOnce, async (part) =>
    failures.length > 0
      ? undefined
      : advancePart({ dependencies, job, ...work }, part)
          .catch(async (error: unknown) => await endPart({ dependencies, job, speech }, part, error))
          .catch((error: unknown) => void failures.push(error)),
  );
  if (failures.length > 0) throw failures[0];
  return progress.every((one) => one === 'ended');
}

const shortestPartMs = 120_000;

/** A failure of one part for good does not end the others. What is too large is halved. Rethrows what may pass. */
async function endPart(
  {
    dependencies: { database, logger },
    job,
    speech,
  }: Pick<PartWork, 'dependencies' | 'job'> & { readonly speech: readonly Span[] },
  part: PartRow,
  error: unknown,
): Promise<PartProgress> {
  const problem = finalMessage(job, error);
  // A key that is refused is refused for every part.
  const isGeneral = error instanceof SpeechToTextFailure && error.kind === 'credentials';
  if (error instanceof LeaseLost || problem === null || isGeneral) throw error;
  const whole = { startMs: part.from_ms ?? 0, endMs: part.to_ms ?? job.request.durationMs };
  const source = cuttableSource(job, part);
  const isTooLarge = error instanceof SpeechToTextFailure && error.kind === 'too-large';
  if (isTooLarge && source !== null && whole.endMs - whole.startMs >= 2 * shortestPartMs) {
    const [first, second] = cutSpans(whole, 2, speech);
    const { participant } = part;
    const change = { ...source, from_ms: first?.startMs, to_ms: first?.endMs, reference: randomUUID(), upload: null };
    await database.transaction(async (transaction) => {
      await changePart(transaction, job, part.number, { ...change, state: 'waiting', submissions: 0 } as PartChange);
      const others = await readParts(transaction, job.id);
      const more = { audioKey: source.audio_key, contentType: source.content_type, participant };
      const span = { fromMs: second?.startMs ?? 0, toMs: second?.endMs ?? 0 };
      await insertParts(transaction, job, [{ ...more, ...span }], others.length);
    });
    return 'processing';
  }
  logger.warn({ err: error, ...factsOf(job), part: part.number }, 'A part of a transcription failed.');
  await changePart(database, job, part.number, { state: 'failed', problem });
  return 'ended';
}

/** The file of a part that can be cut: itself, or the other form of the mixed audio. */
function cuttableSource({ request }: JobRow, { audio_key, content_type, participant }: PartRow) {
  if (canCut(content_type)) return { audio_key, content_type };
  const flac = participant === null ? request.artifacts.find(({ kind }) => kind === 'audio') : undefined;
  return flac === undefined ? null : { audio_key: flac.key, content_type: flac.contentType };
}

async function conclude(
  { database, events, ended, clock }: JobDependencies,
  job: JobRow,
  { artifacts, utterances, missing, given, names }: StoredTranscript & Record<'given' | 'names', SpeakerName[]>,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const current = await readNames(transaction, job.bot_id, 'for update');
    if (!isDeepStrictEqual(current, given))
      throw new Error('A speaker was renamed meanwhile: the files are written again.');
    const parts = await readParts(transaction, job.id);
    await concludeJob(transaction, job, { outcome: 'completed', message: missing });
    const { bot_id: botId, team_id: teamId } = job;
    await indexTranscript(transaction, { botId, teamId, utterances, names, now: new Date(clock.now()) });
    await events.add(transaction, transcriptionEnded, {
      ...endedFacts(job, parts),
      outcome: 'completed',
      message: missing,
      artifacts: [...artifacts],
    });
  });
  ended.inc({ provider: job.provider, outcome: 'completed' });
  events.notify();
}

async function concludeFailed(
  dependencies: JobDependencies,
  job: JobRow,
  { message, signal }: { readonly message: string; readonly signal: AbortSignal },
): Promise<JobProgress> {
  const { database, events, ended } = dependencies;
  await database.transaction(async (transaction) => {
    const parts = await readParts(transaction, job.id);
    await concludeJob(transaction, job, { outcome: 'failed', message });
    await events.add(transaction, transcriptionEnded, {
      ...endedFacts(job, parts),
      outcome: 'failed',
      message,
      artifacts: [],
    });
  });
  ended.inc({ provider: job.provider, outcome: 'failed' });
  events.notify();
  return await removeAndEnd(dependencies, { ...job, state: 'removing' }, signal);
}

function endedFacts(job: JobRow, parts: readonly PartRow[]) {
  return {
    requestId: job.id,
    botId: job.bot_id,
    teamId: job.team_id,
    providerIds: parts.flatMap(({ provider_job_id }) => (provider_job_id === null ? [] : [provider_job_id])),
  };
}

/** Limits retries of deletions: a key may be deleted, or an outage may last for days. */
const removalGraceMs = 86_400_000;

async function removeAndEnd(dependencies: JobDependencies, job: JobRow, signal: AbortSignal): Promise<JobProgress> {
  const { database, clock, logger } = dependencies;
  try {
    await removeCopies(dependencies, job, signal);
  } catch (error) {
    if (error instanceof LeaseLost || signal.aborted) throw error;
    const isFinal = error instanceof SpeechToTextFailure && !error.retryable;
    if (!isFinal && clock.now() < job.deadline_at.getTime() + removalGraceMs) {
      return { kind: 'wait', why: 'failure', error };
    }
    logger.error({ err: error, ...factsOf(job) }, "A provider's copy of a recording could not be deleted.");
  }
  await endJob(database, job, new Date(clock.now()));
  return { kind: 'ended' };
}

/** The final failure of the job, as a message for the customer; null when it is retried. */
function finalMessage(job: JobRow, error: unknown): string | null {
  if (error instanceof RecordingGone) return 'The recording is not stored any more.';
  if (!(error instanceof SpeechToTextFailure)) return null;
  if (!error.retryable) return error.message;
  return error.kind === 'unreadable' && job.failures + 1 >= mostUnreadable ? error.message : null;
}

export function factsOf({ id, bot_id, team_id, provider }: JobRow) {
  return { jobId: id, botId: bot_id, teamId: team_id, provider };
}

/** Deletes the provider's copies of a job. Rejects with SpeechToTextFailure or LeaseLost. */
async function removeCopies(
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
