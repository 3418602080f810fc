import { platforms } from '@rapporteur/contracts';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import type { Speaker, SpeakerSpan } from '@rapporteur/recorder';
import type { StoryEvent } from './story-event.ts';
import type { Identity, ParticipantList } from './participant-list.ts';

export interface AttemptStory {
  readonly events: readonly StoryEvent[];
  /** Epoch ms at which its recording ends; a turn cut off by a crash ends then. */
  readonly endsAtMs: number;
}

/**
 * Speaker times over all attempts, epoch ms. The last event of a turn counts. Numeric participant ids of the platform
 * are passed on.
 */
export function speakerSpans(
  attempts: readonly AttemptStory[],
  participants: ParticipantList,
  platform: MeetingPlatformName,
): SpeakerSpan[] {
  return attempts.flatMap(({ events, endsAtMs }) => {
    const turns = new Map<number, Extract<StoryEvent, { kind: 'speaker' }>>();
    for (const event of events) if (event.kind === 'speaker') turns.set(event.turnId, event);
    return [...turns.values()].map((turn) => ({
      ...speakerOf(participants.identify(turn.participantId, turn.name, turn.startMs)),
      participantId: turn.participantId,
      ...(platforms[platform].numbersParticipants && /^\d{1,15}$/.test(turn.participantId ?? '')
        ? { userId: Number(turn.participantId) }
        : {}),
      startMs: turn.startMs,
      endMs: turn.endMs ?? Math.max(endsAtMs, turn.startMs),
    }));
  });
}

/** As diarization and captions describe a speaker. */
export function speakerOf({ id, name, candidates }: Identity): Speaker {
  return { name, speakerId: id, candidates };
}
