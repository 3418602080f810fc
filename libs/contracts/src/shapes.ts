import { z } from 'zod';
import { platformNames } from './platforms.ts';

/** ISO 8601 instant in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const instant = z.iso.datetime();
export const botId = z.uuid();
export const teamId = z.uuid();

/** A participant as the bot details and the final events show them (specification 2.2). */
export const participant = z.object({
  id: z.int().nullable(),
  name: z.string(),
  display_name: z.string().optional(),
  profile_picture: z.string().optional(),
});
export type Participant = z.infer<typeof participant>;

export const meetingPlatform = z.enum(platformNames);

/** Every kind of file a bot can leave behind; a bot's details show one URL per kind, and one per participant of `participant_audio`. */
export const artifactKind = z.enum([
  'video',
  'audio',
  /** The same audio once more, small, for players. */
  'audio_m4a',
  /** One frame of the recording. */
  'poster',
  'diarization',
  'chat_messages',
  /** Who was there when; the names alone stand in a bot's details too. */
  'participants_file',
  /** What one participant said, where the platform separates the audio of participants: one file for each. */
  'participant_audio',
  /** What the meeting's own captions said, JSON Lines: the source of provider `meeting_captions`. Not linked. */
  'captions',
  'transcription',
  'raw_transcription',
  /** The same as subtitles. */
  'transcription_vtt',
  'transcription_srt',
  'integrity',
]);
export type ArtifactKind = z.infer<typeof artifactKind>;

/** Whose audio a file holds. */
export const artifactParticipant = z.object({
  /** As in `participants`; null for somebody who is not among them. */
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
  /** Hex; of a file that was sent in parts, of their hashes one after the other (binary), with `-` and their number. */
  sha256: z.string(),
  contentType: z.string(),
  /** Only of `participant_audio`. */
  participant: artifactParticipant.optional(),
});
export type Artifact = z.infer<typeof artifact>;
