import type { ArtifactKind, ArtifactParticipant } from '@rapporteur/contracts';
import { artifactFiles } from '@rapporteur/recorder';
import type { IncrementalArtifact } from '@rapporteur/recorder';

export interface ArtifactFile {
  readonly kind: ArtifactKind;
  /** A file to be stored as a whole, or one of which parts are stored already. */
  readonly content: { readonly file: string } | { readonly incremental: IncrementalArtifact };
  readonly key: string;
  readonly contentType: string;
  /** Whose audio it holds. */
  readonly participant?: ArtifactParticipant;
}

/** Where the artifacts with the media are stored, and as what. */
export const mediaTypes = {
  video: { key: `artifacts/${artifactFiles.video}`, contentType: 'video/mp4' },
  audio: { key: `artifacts/${artifactFiles.audio}`, contentType: 'audio/flac' },
  audio_m4a: { key: `artifacts/${artifactFiles.audio_m4a}`, contentType: 'audio/mp4' },
} as const;
