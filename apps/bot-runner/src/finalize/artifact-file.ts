import type { ArtifactKind, ArtifactParticipant, UploadKind } from '@rapporteur/contracts';
import { artifactFiles } from '@rapporteur/recorder';
import type { IncrementalArtifact } from '@rapporteur/recorder';
import { segmentsPrefix } from '../recording/segment-record.ts';

export interface ArtifactFile {
  readonly kind: ArtifactKind;
  /** A file to store as a whole, or with parts that are stored already. */
  readonly content: { readonly file: string } | { readonly incremental: IncrementalArtifact };
  readonly key: string;
  readonly contentType: string;
  /** Whose audio it holds. */
  readonly participant?: ArtifactParticipant;
}

/** Key and content type of the artifacts with the media. */
export const mediaTypes = {
  video: { key: `artifacts/${artifactFiles.video}`, contentType: 'video/mp4' },
  audio: { key: `artifacts/${artifactFiles.audio}`, contentType: 'audio/flac' },
  audio_m4a: { key: `artifacts/${artifactFiles.audio_m4a}`, contentType: 'audio/mp4' },
} as const;

const mediaKinds: ReadonlyMap<string, UploadKind> = new Map([
  [mediaTypes.video.key, 'video'],
  [mediaTypes.audio.key, 'audio'],
  [mediaTypes.audio_m4a.key, 'audio_m4a'],
]);

/** Usage kind of the object of a key. */
export function uploadKindOf(key: string): UploadKind {
  if (key.startsWith(segmentsPrefix)) return 'fragments';
  return mediaKinds.get(key) ?? (key.endsWith('.ogg') ? 'participant_audio' : 'other');
}
