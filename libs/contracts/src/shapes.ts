import { z } from 'zod';
import { platformNames } from './platforms.ts';

/** ISO 8601 instant in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const instant = z.iso.datetime();
export const botId = z.uuid();
export const teamId = z.uuid();

/** A participant in bot details and final events (specification 2.2). */
export const participant = z.object({
  id: z.int().nullable(),
  name: z.string(),
  display_name: z.string().optional(),
  profile_picture: z.string().optional(),
});
export type Participant = z.infer<typeof participant>;

export const meetingPlatform = z.enum(platformNames);

/**
 * Every kind of file that a bot can store; a bot's details have one URL per kind, and one per participant of
 * `participant_audio`.
 */
export const artifactKind = z.enum([
  'video',
  'audio',
  /** The same audio, smaller, for players. */
  'audio_m4a',
  /** One frame of the recording. */
  'poster',
  'diarization',
  'chat_messages',
  /** Presence of participants; a bot's details contain the names only. */
  'participants_file',
  /** The audio of one participant, where the platform separates it: one file for each. */
  'participant_audio',
  /** The meeting's own captions, JSON Lines: the source of provider `meeting_captions`. Not linked. */
  'captions',
  'transcription',
  'raw_transcription',
  /** The same as subtitles. */
  'transcription_vtt',
  'transcription_srt',
  'integrity',
]);
export type ArtifactKind = z.infer<typeof artifactKind>;

/** The owner of a file. */
export const artifactParticipant = z.object({
  /** As in `participants`; null for a participant who is not listed there. */
  id: z.int().nullable(),
  name: z.string(),
  speechSeconds: z.number().nonnegative(),
});
export type ArtifactParticipant = z.infer<typeof artifactParticipant>;

export const artifact = z.object({
  kind: artifactKind,
  /** Object key relative to the bot's own prefix `bots/<bot_id>/`. */
  key: z.string(),
  bytes: z.int().nonnegative(),
  /** Hex; of a multipart upload, of its parts' hashes concatenated (binary), with `-` and their number. */
  sha256: z.string(),
  contentType: z.string(),
  /** Only of `participant_audio`. */
  participant: artifactParticipant.optional(),
});
export type Artifact = z.infer<typeof artifact>;
