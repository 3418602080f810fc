import type { transcriptionRequested } from '@rapporteur/contracts';
import type { z } from 'zod';

export type TranscriptionRequest = z.output<typeof transcriptionRequested.data>;

export type JobState = 'active' | 'removing' | 'ended';
export type JobOutcome = 'completed' | 'failed' | 'cancelled';

export interface JobRow {
  readonly id: string;
  readonly bot_id: string;
  readonly team_id: string;
  readonly provider: string;
  readonly request: TranscriptionRequest;
  readonly state: JobState;
  readonly outcome: JobOutcome | null;
  readonly message: string | null;
  /** In a row. */
  readonly failures: number;
  readonly polls: number;
  readonly due_at: Date;
  readonly lease_id: string | null;
  readonly deadline_at: Date;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

export interface PartParticipant {
  readonly id: number | null;
  readonly name: string;
}

/** submitting: a submission was begun, and whether the provider has it is not known. */
export type PartState = 'waiting' | 'submitting' | 'submitted' | 'transcribed';

export interface PartRow {
  readonly job_id: string;
  readonly number: number;
  readonly audio_key: string;
  readonly content_type: string;
  readonly participant: PartParticipant | null;
  readonly reference: string;
  readonly state: PartState;
  readonly upload: string | null;
  readonly provider_job_id: string | null;
  readonly submissions: number;
  /** When the newest submission was begun. */
  readonly submitted_at: Date | null;
  /** JSON of a Transcript. */
  readonly transcript: string | null;
  readonly removed_at: Date | null;
}
