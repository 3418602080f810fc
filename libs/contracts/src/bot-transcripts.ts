import { z } from 'zod';
import { botId, instant, teamId } from './shapes.ts';

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
/** Forms in which a transcript is read. */
const transcriptFormats = ['json', 'text', 'vtt', 'srt'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];
export const transcriptTextRequest = z.object({ botId, teamId, format: z.enum(transcriptFormats) });
/** In the form of the request; null: there is none, or it was deleted. */
export const transcriptTextReply = z.object({ text: z.string().nullable() });
export const renameSpeakerRequest = z.object({
  botId,
  teamId,
  /** The name in the meeting. */
  speaker: z.string().min(1).max(300),
  /** Absent: only one speaker has the name. */
  speakerId: z.int().nullable().optional(),
  /** Null: the name in the meeting again. */
  name: z.string().min(1).max(255).nullable(),
});
export const renameSpeakerReply = z.object({
  isTranscribed: z.boolean(),
  /** The participant who has the name from now on; null: the speaker is no participant, or one of several at a microphone. */
  participant: z.object({ id: z.int().nullable(), name: z.string() }).nullable(),
});
/** Null: there is none, or it was deleted. */
export const botTranscriptReply = z.object({ transcript: botTranscript.nullable() });
export const transcriptionProgressReply = z.object({
  /** The progress of the bot's running transcription, 0 to 1; null: none runs, or its provider does not report it. */
  progress: z.number().min(0).max(1).nullable(),
  /** Why it waits for its provider; null: it does not. */
  message: z.string().nullable(),
});
export const providerProblemRequest = z.object({ provider: z.string() });
/** Why a server of the deployment cannot transcribe now; null: it can, or the provider is elsewhere. */
export const providerProblemReply = z.object({ problem: z.string().nullable() });

const placeInSearch = z.object({ at: instant, id: botId });
export const transcriptSearchRequest = z.object({
  teamId,
  q: z.string().min(1).max(200),
  limit: z.int().min(1).max(50),
  /** The place of the last transcript that was read; null: the newest. */
  after: placeInSearch.nullable(),
});
export type TranscriptSearchRequest = z.infer<typeof transcriptSearchRequest>;
const transcriptHit = z.object({
  /** The start of the utterance, in ms of the recording. */
  startMs: z.number(),
  endMs: z.number(),
  speaker: z.string(),
  /** Number of the participant. */
  speakerId: z.int().nullable(),
  snippet: z.array(z.object({ text: z.string(), match: z.boolean() })),
});
export type TranscriptHit = z.infer<typeof transcriptHit>;
export const transcriptSearchReply = z.object({
  /** Why the text is no search. */
  problem: z.string().nullable(),
  found: z.array(z.object({ botId, hits: z.array(transcriptHit), more: z.boolean() })),
  /** Null: no further transcript has it. */
  next: placeInSearch.nullable(),
});
export type TranscriptSearchReply = z.infer<typeof transcriptSearchReply>;
