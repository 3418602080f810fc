import type { Participant } from '@rapporteur/contracts';
import type { StoryEvent } from './meeting-story.ts';

/** Shown for somebody whose name no layer ever said. */
export const unknownName = 'Unknown';

export interface ParticipantList {
  /** Everybody but bots of ours, in order of appearance, numbered from 1. */
  readonly participants: Participant[];
  /** Those of them who spoke. */
  readonly speakers: Participant[];
  /** The participant number behind a platform's participant id; null when unknown or the bot itself. */
  idOf(participantId: string | null): number | null;
  nameOf(participantId: string | null): string | null;
  /** The number of the one participant of this name; null when there is none, or more than one. */
  idOfName(name: string): number | null;
}

interface Guest {
  readonly ids: Set<string>;
  readonly presentIds: Set<string>;
  name: string | null;
  avatarUrl: string | null;
  spoke: boolean;
}

/**
 * Who was there, from all that happened, attempts in their order. Somebody who left and came back under the same name
 * is one participant, though the platform gave a new id; two who are there at once under one name are two.
 */
export function listParticipants(events: readonly StoryEvent[]): ParticipantList {
  const guests: Guest[] = [];
  const selfIds = new Set(
    events.flatMap((event) => (event.kind === 'participant' && event.isSelf ? [event.participantId] : [])),
  );
  const guestOf = (participantId: string | null): Guest | undefined =>
    participantId === null ? undefined : guests.find((guest) => guest.ids.has(participantId));
  for (const event of events) {
    if (event.kind === 'participant' && !selfIds.has(event.participantId))
      noteParticipant(event, guests, guestOf(event.participantId));
    if (event.kind === 'speaker') {
      const guest = guestOf(event.participantId);
      if (guest !== undefined) guest.spoke = true;
    }
  }
  const idOf = (participantId: string | null): number | null => {
    const guest = guestOf(participantId);
    return guest === undefined ? null : guests.indexOf(guest) + 1;
  };
  return {
    participants: guests.map(participantOf),
    speakers: guests.flatMap((guest, index) => (guest.spoke ? [participantOf(guest, index)] : [])),
    idOf,
    nameOf: (participantId) => guestOf(participantId)?.name ?? null,
    idOfName: (name) => {
      const first = guests.findIndex((guest) => guest.name === name);
      return first === -1 || guests.some((guest, index) => index > first && guest.name === name) ? null : first + 1;
    },
  };
}

/** Who was there over all attempts: with the end of one everybody is gone, and the next one sees them come anew. */
export function listParticipantsOver(
  attempts: readonly { readonly events: readonly StoryEvent[]; readonly endsAtMs: number }[],
): ParticipantList {
  return listParticipants(
    attempts.flatMap(({ events, endsAtMs }) => {
      const present = new Map<string, Extract<StoryEvent, { kind: 'participant' }>>();
      for (const event of events) {
        if (event.kind !== 'participant') continue;
        if (event.change === 'left') present.delete(event.participantId);
        else present.set(event.participantId, event);
      }
      const gone = [...present.values()].map((event) => ({ ...event, change: 'left' as const, atMs: endsAtMs }));
      return [...events, ...gone];
    }),
  );
}

function noteParticipant(
  event: Extract<StoryEvent, { kind: 'participant' }>,
  guests: Guest[],
  known: Guest | undefined,
): void {
  const returning =
    known ?? guests.find((guest) => event.name !== null && guest.name === event.name && guest.presentIds.size === 0);
  const guest = returning ?? newGuest();
  if (returning === undefined) guests.push(guest);
  guest.ids.add(event.participantId);
  guest.name = event.name ?? guest.name;
  guest.avatarUrl = event.avatarUrl ?? guest.avatarUrl;
  if (event.change === 'left') guest.presentIds.delete(event.participantId);
  else guest.presentIds.add(event.participantId);
}

function newGuest(): Guest {
  return { ids: new Set(), presentIds: new Set(), name: null, avatarUrl: null, spoke: false };
}

function participantOf(guest: Guest, index: number): Participant {
  const name = guest.name ?? unknownName;
  return {
    id: index + 1,
    name,
    display_name: name,
    ...(guest.avatarUrl === null ? {} : { profile_picture: guest.avatarUrl }),
  };
}
