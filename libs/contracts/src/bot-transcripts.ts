import { z } from 'zod';
import { botId, teamId } from './shapes.ts';

export const botTranscriptRequest = z.object({ botId, teamId });
/** The transcript in the form of the legacy API; times are seconds of the recording. */
export const botTranscript = z.object({
  utterances: z.array(
    z.object({
      speaker: z.string(),
      /** Number of the participant. */
      speakerId: z.int().nullable(),
      language: z.string().nullable(),
      start: z.number(),
      end: z.number(),
      words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })),
    }),
  ),
});
export type BotTranscript = z.infer<typeof botTranscript>;
/** Null: there is none, or it was deleted. */
export const botTranscriptReply = z.object({ transcript: botTranscript.nullable() });
/** Progress of the bot's running transcription, 0 to 1; null: none runs, or its provider does not report it. */
export const transcriptionProgressReply = z.object({ progress: z.number().min(0).max(1).nullable() });
