import type { transcriptionRequested } from '@rapporteur/contracts';
import type { RowOf } from '@rapporteur/database';
import type { z } from 'zod';
import type { jobs, parts } from './entities.ts';

export type TranscriptionRequest = z.output<typeof transcriptionRequested.data>;

export type JobState = 'active' | 'removing' | 'ended';
export type JobOutcome = 'completed' | 'failed' | 'cancelled';

export interface PartParticipant {
  readonly id: number | null;
  readonly name: string;
}

/** submitting: a submission began; whether the provider has the job is unknown. */
export type PartState = 'waiting' | 'submitting' | 'submitted' | 'transcribed';

export type JobRow = RowOf<typeof jobs, { request: TranscriptionRequest; state: JobState; outcome: JobOutcome | null }>;

export type PartRow = RowOf<typeof parts, { participant: PartParticipant | null; state: PartState }>;
