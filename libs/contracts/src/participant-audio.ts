import { z } from 'zod';
import { artifactParticipant } from './shapes.ts';
import type { Artifact } from './shapes.ts';

/** The owner of an audio file. */
export const participantFile = artifactParticipant.extend({
  /** As in the artifacts. */
  key: z.string(),
});
export type ParticipantFile = z.infer<typeof participantFile>;

export function participantFilesOf(artifacts: readonly Artifact[]): ParticipantFile[] {
  return artifacts.flatMap(({ key, participant }) => (participant ? [{ ...participant, key }] : []));
}

/**
 * Name under which a link to one participant's audio is requested and returned; no kind of artifact has a space in its
 * name.
 */
export function participantLinkName(key: string): string {
  return `participant_audio ${key}`;
}

/**
 * `participant_audio` of a bot's details and of `bot.completed`: the files that have a link. Null when none has: the
 * platform only provides a mix, it is switched off, or the data was deleted.
 * @param urls by link name
 */
export function linkedParticipantAudio(
  files: readonly ParticipantFile[],
  urls: Readonly<Partial<Record<string, string>>>,
): { id: number | null; name: string; speech_seconds: number; url: string }[] | null {
  const linked = files.flatMap(({ id, name, speechSeconds, key }) => {
    const url = urls[participantLinkName(key)];
    return url === undefined ? [] : [{ id, name, speech_seconds: speechSeconds, url }];
  });
  return linked.length === 0 ? null : linked;
}
