import { z } from 'zod';
import { artifactKindNames } from './artifact-kinds.ts';
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

export const artifactKind = z.enum(artifactKindNames);

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
  /** The participant whose audio it is; only with kind `participant_audio`. */
  participant: artifactParticipant.optional(),
});
export type Artifact = z.infer<typeof artifact>;
