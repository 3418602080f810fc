import { sqlMigration } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';

const tables = `
  create table transcription_jobs (
    id uuid not null constraint transcription_jobs_pkey primary key,
    bot_id uuid not null,
    team_id uuid not null,
    provider text not null,
    -- What transcription-requested says.
    request jsonb not null,
    -- active: transcribing. removing: over, copies at the provider are left. ended: nothing is left to do.
    state text not null constraint transcription_jobs_state check (state in ('active', 'removing', 'ended')),
    outcome text constraint transcription_jobs_outcome check (outcome in ('completed', 'failed', 'cancelled')),
    -- Why it failed, or why it waits, as the customer reads it.
    message text,
    failures integer not null,
    polls integer not null,
    -- While leased: when the lease ends.
    due_at timestamptz not null,
    lease_id uuid,
    deadline_at timestamptz not null,
    created_at timestamptz not null,
    ended_at timestamptz,
    constraint transcription_jobs_over check ((state = 'active') = (outcome is null)),
    constraint transcription_jobs_end check ((state = 'ended') = (ended_at is not null))
  );
  create index transcription_jobs_due on transcription_jobs (due_at) where state <> 'ended';
  create index transcription_jobs_bot on transcription_jobs (bot_id);
  create index transcription_jobs_ended on transcription_jobs (ended_at) where state = 'ended';

  create table transcription_parts (
    job_id uuid not null,
    number integer not null,
    -- Object key of the audio, relative to the bot's prefix.
    audio_key text not null,
    content_type text not null,
    -- Whose audio it is; null: of the whole meeting.
    participant jsonb,
    -- The span of the file that it is; null: the whole one.
    from_ms integer,
    to_ms integer,
    -- What a job at the provider is found again by.
    reference uuid not null,
    state text not null constraint transcription_parts_state
      check (state in ('waiting', 'submitting', 'submitted', 'transcribed', 'failed')),
    upload text,
    provider_job_id text,
    submissions integer not null,
    submitted_at timestamptz,
    -- Until the artifacts are stored.
    transcript text,
    -- Why it failed, as the customer reads it.
    problem text,
    removed_at timestamptz,
    constraint transcription_parts_pkey primary key (job_id, number),
    constraint transcription_parts_job foreign key (job_id) references transcription_jobs (id) on delete cascade,
    constraint transcription_parts_reference unique (reference)
  );
`;

export const createTranscripts = sqlMigration('CreateTranscripts20261121000000', tables, outboxTablesSql);
