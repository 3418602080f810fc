import { randomUUID } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import { LeaseLost, leasedRows } from '@rapporteur/work-queue';
import type { JobOutcome, JobRow, PartRow, TranscriptionRequest } from '../schema/entities.ts';

export interface NewPart {
  readonly audioKey: string;
  readonly contentType: string;
  readonly participant: PartRow['participant'];
  /** A span of the file; null: the whole one. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Stores a request as a job, once per request id. */
export async function insertJob(
  transaction: Executor,
  request: TranscriptionRequest,
  times: { readonly now: Date; readonly deadlineAt: Date },
): Promise<void> {
  await transaction.query(
    `insert into transcription_jobs (id, bot_id, team_id, provider, request, state, failures, polls, due_at, deadline_at, created_at)
     values ($1, $2, $3, $4, $5::jsonb, 'active', 0, 0, now(), $6, $7) on conflict (id) do nothing`,
    [
      request.requestId,
      request.botId,
      request.teamId,
      request.choice.provider,
      JSON.stringify(request),
      times.deadlineAt,
      times.now,
    ],
  );
}

/** Adds the parts of a leased job, numbered from `first`. Throws LeaseLost. */
export async function insertParts(
  executor: Executor,
  job: LeasedJob,
  parts: readonly NewPart[],
  first = 0,
): Promise<void> {
  const rows = parts.map((part, index) => ({
    number: first + index,
    audio_key: part.audioKey,
    content_type: part.contentType,
    participant: part.participant,
    from_ms: part.fromMs,
    to_ms: part.toMs,
    reference: randomUUID(),
  }));
  const inserted = await executor.query(
    `insert into transcription_parts
       (job_id, number, audio_key, content_type, participant, from_ms, to_ms, reference, state, submissions)
     select $1, part.number, part.audio_key, part.content_type, nullif(part.participant, 'null'::jsonb), part.from_ms,
       part.to_ms, part.reference, 'waiting', 0
     from jsonb_to_recordset($3::jsonb) as part(number integer, audio_key text, content_type text, participant jsonb,
       from_ms integer, to_ms integer, reference uuid)
     where exists (select 1 from transcription_jobs where id = $1 and lease_id = $2 and state = 'active' for share)
     returning 1`,
    [job.id, job.lease_id, JSON.stringify(rows)],
  );
  if (inserted.length < rows.length) throw new LeaseLost();
}

/** Jobs to advance; a claimed one belongs to this process until its lease ends. */
export const dueJobs = leasedRows<JobRow>({
  table: 'transcription_jobs',
  key: ['id'],
  due: 'due_at',
  lease: 'lease_id',
  where: `state <> 'ended'`,
});

export async function readParts(executor: Executor, jobId: string): Promise<PartRow[]> {
  return await executor.query<PartRow>('select * from transcription_parts where job_id = $1 order by number', [jobId]);
}

/** The newest active transcription of a bot. */
export async function findRunningJob(
  executor: Executor,
  { botId, teamId }: { readonly botId: string; readonly teamId: string },
): Promise<JobRow | null> {
  const [job] = await executor.query<JobRow>(
    `select * from transcription_jobs where bot_id = $1 and team_id = $2 and state = 'active'
     order by created_at desc limit 1`,
    [botId, teamId],
  );
  return job ?? null;
}

type LeasedJob = Pick<JobRow, 'id' | 'lease_id'>;

export type PartChange = Partial<
  Pick<
    PartRow,
    | 'state'
    | 'upload'
    | 'provider_job_id'
    | 'submissions'
    | 'submitted_at'
    | 'transcript'
    | 'problem'
    | 'audio_key'
    | 'content_type'
    | 'from_ms'
    | 'to_ms'
    | 'reference'
    | 'removed_at'
  >
>;

/** Locks the job in a transaction. Throws LeaseLost. */
export async function changePart(
  executor: Executor,
  job: LeasedJob,
  number: number,
  change: PartChange,
): Promise<void> {
  const columns = Object.keys(change).map((name, index) => `${name} = $${index + 4}`);
  const rows = await executor.query(
    `update transcription_parts set ${columns.join(', ')}
     where job_id = $1 and number = $3
       and exists (select 1 from transcription_jobs where id = $1 and lease_id = $2 for no key update)
     returning 1`,
    [job.id, job.lease_id, number, ...Object.values(change)],
  );
  if (rows.length === 0) throw new LeaseLost();
}

/** Ends the transcription; only the provider's copies remain to be deleted. Keeps the lease. Throws LeaseLost. */
export async function concludeJob(
  transaction: Executor,
  job: LeasedJob,
  { outcome, message }: { readonly outcome: JobOutcome; readonly message: string | null },
): Promise<void> {
  const rows = await transaction.query(
    `update transcription_jobs set state = 'removing', outcome = $3, message = $4, failures = 0, polls = 0
     where id = $1 and lease_id = $2 and state = 'active' returning 1`,
    [job.id, job.lease_id, outcome, message],
  );
  if (rows.length === 0) throw new LeaseLost();
  await transaction.query('update transcription_parts set transcript = null where job_id = $1', [job.id]);
}

/** Throws LeaseLost. */
export async function endJob(executor: Executor, job: LeasedJob, at: Date): Promise<void> {
  const rows = await executor.query(
    `update transcription_jobs set state = 'ended', ended_at = $3, lease_id = null
     where id = $1 and lease_id = $2 and state = 'removing' returning 1`,
    [job.id, job.lease_id, at],
  );
  if (rows.length === 0) throw new LeaseLost();
}

/** Deletes all content of a bot's jobs and cancels active ones, after its data was deleted. Leases on them are lost. */
export async function forgetBotJobs(transaction: Executor, botId: string): Promise<void> {
  await transaction.query(
    `update transcription_jobs set state = 'removing', outcome = 'cancelled', lease_id = null, due_at = now(), failures = 0
     where bot_id = $1 and state = 'active'`,
    [botId],
  );
  await transaction.query(
    `update transcription_jobs set due_at = now(), lease_id = null, failures = 0,
       request = request || '{"participants": [], "artifacts": []}'::jsonb
     where bot_id = $1`,
    [botId],
  );
  await transaction.query(
    `update transcription_parts set transcript = null, participant = null
     where job_id in (select id from transcription_jobs where bot_id = $1)`,
    [botId],
  );
}

/** Retries failed deletions of provider copies, for the same time as after the end of a job. */
export async function reopenRemovals(transaction: Executor, botId: string): Promise<void> {
  await transaction.query(
    `update transcription_jobs set state = 'removing', ended_at = null, due_at = now(), failures = 0, polls = 0,
       deadline_at = greatest(deadline_at, now())
     where bot_id = $1 and state = 'ended' and exists (
       select from transcription_parts where job_id = transcription_jobs.id and removed_at is null
         and (submissions > 0 or upload is not null))`,
    [botId],
  );
}

export interface FoundPart {
  readonly job_id: string;
  readonly number: number;
  readonly provider: string;
}

export async function findPartByReference(executor: Executor, reference: string): Promise<FoundPart | null> {
  const [row] = await executor.query<FoundPart>(
    `select part.job_id, part.number, job.provider from transcription_parts part
     join transcription_jobs job on job.id = part.job_id
     where part.reference = $1 and job.state = 'active'`,
    [reference],
  );
  return row ?? null;
}

/** Stores a transcript that the provider delivered; the first one is kept. */
export async function saveDelivered(executor: Executor, part: FoundPart, transcript: string): Promise<void> {
  await executor.query(
    `update transcription_parts set state = 'transcribed', transcript = $3
     where job_id = $1 and number = $2 and state in ('submitting', 'submitted')`,
    [part.job_id, part.number, transcript],
  );
}

/** Makes the job due now, unless its lease is held. */
export async function makeJobDue(executor: Executor, jobId: string): Promise<void> {
  await executor.query(
    `update transcription_jobs set due_at = now() where id = $1 and state = 'active' and lease_id is null`,
    [jobId],
  );
}

const removedAtOnce = 500;

export async function removeOldJobs(executor: Executor, endedBefore: Date): Promise<void> {
  await executor.query(
    `delete from transcription_jobs where id in
       (select id from transcription_jobs where state = 'ended' and ended_at < $1 limit $2)`,
    [endedBefore, removedAtOnce],
  );
}
