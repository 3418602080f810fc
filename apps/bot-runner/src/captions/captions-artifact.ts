import type { CaptionLine } from '@rapporteur/speech-to-text';
import { unknownName } from '../story/participant-list.ts';
import type { ParticipantList } from '../story/participant-list.ts';
import type { AttemptStory } from '../story/speaker-spans.ts';
import type { StoryEvent } from '../story/story-event.ts';

type CaptionEvent = Extract<StoryEvent, { kind: 'caption' }>;

/**
 * The artifact `captions`: JSON Lines with the last version of each stretch, ordered by start. Null when there are none
 * and the bot could not read any.
 * @param mediaMsOf the recording's time of an epoch time
 */
export function captionsArtifact(
  attempts: readonly AttemptStory[],
  participants: ParticipantList,
  mediaMsOf: (epochMs: number) => number,
): string | null {
  const status = attempts
    .flatMap(({ events }) => events)
    .findLast((event): event is Extract<StoryEvent, { kind: 'captions' }> => event.kind === 'captions');
  // Ids are unique within one attempt.
  const captions = attempts.flatMap(({ events }) => [
    ...new Map(events.flatMap((event) => (event.kind === 'caption' ? [[event.id, event] as const] : []))).values(),
  ]);
  if (status?.available !== true && captions.length === 0) return null;
  const lines = captions
    .filter(({ text }) => text !== '')
    .toSorted((one, other) => one.startMs - other.startMs)
    .map((caption) => JSON.stringify(lineOf(caption, participants, mediaMsOf)));
  return lines.map((line) => `${line}\n`).join('');
}

function lineOf(
  { participantId, name, text, language, isFinal, startMs, endMs }: CaptionEvent,
  participants: ParticipantList,
  mediaMsOf: (epochMs: number) => number,
): CaptionLine {
  const seconds = (epochMs: number): number => Math.round(Math.max(0, mediaMsOf(epochMs))) / 1_000;
  const { id, name: known, candidates } = participants.identify(participantId, name, startMs);
  return {
    text,
    language,
    speaker: known ?? unknownName,
    speaker_id: id,
    ...(candidates.length > 0 ? { speaker_candidates: [...candidates] } : {}),
    start: seconds(startMs),
    end: seconds(endMs),
    is_final: isFinal,
  };
}
