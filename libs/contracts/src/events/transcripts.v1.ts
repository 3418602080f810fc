import { z } from 'zod';
import { artifact, botId, participant, teamId } from '../shapes.ts';
import { defineEvent } from './envelope.ts';

/** Which provider transcribes, and how: `transcription_config` of specification 2.1 without its key. */
export const transcriptionChoice = z.object({
  provider: z.string(),
  region: z.string().nullable(),
  customParams: z.record(z.string(), z.unknown()),
  /** Field of the bot's secrets that contains the customer's own key; null: the deployment's key. */
  keyField: z.string().nullable(),
});
export type TranscriptionChoice = z.infer<typeof transcriptionChoice>;

/** A stored recording is to be transcribed. */
export const transcriptionRequested = defineEvent(
  'bots.v1.transcription-requested',
  ['transcriber'],
  z.object({
    requestId: z.uuid(),
    botId,
    teamId,
    choice: transcriptionChoice,
    /** Fencing number of the newest run, which may write beside the recording. */
    fencing: z.int().positive(),
    durationMs: z.int().nonnegative(),
    artifacts: z.array(artifact),
    participants: z.array(participant),
  }),
);

const request = { requestId: z.uuid(), botId, teamId };

/** A provider works on it. */
export const transcriptionStarted = defineEvent('transcripts.v1.started', ['bot-scheduler'], z.object(request));

/** A request is over. */
export const transcriptionEnded = defineEvent(
  'transcripts.v1.ended',
  ['bot-scheduler'],
  z.object({
    ...request,
    outcome: z.enum(['completed', 'failed']),
    /** Why it failed, safe to show; null when it succeeded. */
    message: z.string().nullable(),
    /** The provider's ids of its jobs. */
    providerIds: z.array(z.string()),
    artifacts: z.array(artifact),
  }),
);

export const transcriptEvents = [transcriptionRequested, transcriptionStarted, transcriptionEnded] as const;
