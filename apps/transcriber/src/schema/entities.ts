import type { transcriptionRequested } from '@rapporteur/contracts';
import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import type { z } from 'zod';

export type TranscriptionRequest = z.output<typeof transcriptionRequested.data>;

export type JobState = 'active' | 'removing' | 'ended';
export type JobOutcome = 'completed' | 'failed' | 'cancelled';

export interface PartParticipant {
  readonly id: number | null;
  readonly name: string;
}

/** submitting: a submission began; whether the provider has the job is unknown. */
export type PartState = 'waiting' | 'submitting' | 'submitted' | 'transcribed' | 'failed';

export const jobs = defineTable({
  name: 'transcription_jobs',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'transcription_jobs_pkey' },
    bot_id: { type: 'uuid' },
    team_id: { type: 'uuid' },
    provider: { type: 'text' },
    /** What transcription-requested says. */
    request: { type: jsonb<TranscriptionRequest>() },
    /** active: transcribing. removing: over, copies at the provider are left. ended: nothing is left to do. */
    state: { type: text<JobState>() },
    outcome: { type: text<JobOutcome>(), nullable: true },
    /** Why it failed, or why it waits, as the customer reads it. */
    message: { type: 'text', nullable: true },
    /** Consecutive failures. */
    failures: { type: 'integer' },
    polls: { type: 'integer' },
    /** While leased: when the lease ends. */
    due_at: { type: 'timestamptz' },
    lease_id: { type: 'uuid', nullable: true },
    deadline_at: { type: 'timestamptz' },
    created_at: { type: 'timestamptz' },
    ended_at: { type: 'timestamptz', nullable: true },
  },
  indices: [
    { name: 'transcription_jobs_due', columns: ['due_at'], where: `state <> 'ended'` },
    { name: 'transcription_jobs_bot', columns: ['bot_id'] },
    { name: 'transcription_jobs_ended', columns: ['ended_at'], where: `state = 'ended'` },
  ],
  checks: [
    { name: 'transcription_jobs_state', expression: `state in ('active', 'removing', 'ended')` },
    { name: 'transcription_jobs_outcome', expression: `outcome in ('completed', 'failed', 'cancelled')` },
    { name: 'transcription_jobs_over', expression: `(state = 'active') = (outcome is null)` },
    { name: 'transcription_jobs_end', expression: `(state = 'ended') = (ended_at is not null)` },
  ],
});

export type JobRow = RowOf<typeof jobs>;

export const parts = defineTable({
  name: 'transcription_parts',
  columns: {
    job_id: {
      type: 'uuid',
      primary: true,
      primaryKeyConstraintName: 'transcription_parts_pkey',
      foreignKey: {
        target: 'transcription_jobs',
        inverseSide: 'id',
        name: 'transcription_parts_job',
        onDelete: 'CASCADE',
      },
    },
    number: { type: 'integer', primary: true, primaryKeyConstraintName: 'transcription_parts_pkey' },
    /** Object key of the audio, relative to the bot's prefix. */
    audio_key: { type: 'text' },
    content_type: { type: 'text' },
    /** Whose audio it is; null: of the whole meeting. */
    participant: { type: jsonb<PartParticipant>(), nullable: true },
    /** A span of the file; null: the whole one. */
    from_ms: { type: 'integer', nullable: true },
    to_ms: { type: 'integer', nullable: true },
    /** What a job at the provider is found again by. */
    reference: { type: 'uuid' },
    state: { type: text<PartState>() },
    upload: { type: 'text', nullable: true },
    provider_job_id: { type: 'text', nullable: true },
    submissions: { type: 'integer' },
    /** When the newest submission began. */
    submitted_at: { type: 'timestamptz', nullable: true },
    /** JSON of a Transcript. */
    transcript: { type: 'text', nullable: true },
    /** Why it failed. */
    problem: { type: 'text', nullable: true },
    removed_at: { type: 'timestamptz', nullable: true },
  },
  uniques: [{ name: 'transcription_parts_reference', columns: ['reference'] }],
  checks: [
    {
      name: 'transcription_parts_state',
      expression: `state in ('waiting', 'submitting', 'submitted', 'transcribed', 'failed')`,
    },
  ],
});

export type PartRow = RowOf<typeof parts>;

/** A name given to a speaker. */
export interface SpeakerName {
  /** In the meeting, as `speakerId`. */
  readonly speaker: string;
  readonly speakerId: number | null;
  readonly name: string;
  /** Whose numbers of voices identify the speaker; null: a participant. */
  readonly provider: string | null;
}

/** The newest transcript of each bot, for the search. Deleted with the bot's data. */
export const transcriptWords = defineTable({
  name: 'transcript_words',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'transcript_words_pkey' },
    team_id: { type: 'uuid' },
    /** When the bot's first transcript was stored. */
    indexed_at: { type: 'timestamptz' },
    /** Distinct words without positions, and the team. */
    words: { type: 'tsvector' },
    names: { type: jsonb<SpeakerName[]>(), default: () => "'[]'" },
  },
  // TypeORM cannot describe an index of this kind.
  indices: [{ name: 'transcript_words_words', columns: ['words'], synchronize: false }],
});

const utteranceKey = { primary: true, primaryKeyConstraintName: 'transcript_utterances_pkey' } as const;

/** What was said in them, read for the transcripts that have the words. */
export const transcriptUtterances = defineTable({
  name: 'transcript_utterances',
  columns: {
    bot_id: {
      type: 'uuid',
      ...utteranceKey,
      foreignKey: {
        target: 'transcript_words',
        inverseSide: 'bot_id',
        name: 'transcript_utterances_bot',
        onDelete: 'CASCADE',
      },
    },
    number: { type: 'integer', ...utteranceKey },
    /** A long utterance has several. */
    part: { type: 'integer', ...utteranceKey },
    /** Times in ms of the recording. */
    start_ms: { type: 'integer' },
    end_ms: { type: 'integer' },
    speaker: { type: 'text' },
    speaker_id: { type: 'integer', nullable: true },
    text: { type: 'text' },
    /** With positions. */
    words: { type: 'tsvector' },
  },
});

export const transcriptEntities = [jobs, parts, transcriptWords, transcriptUtterances];
