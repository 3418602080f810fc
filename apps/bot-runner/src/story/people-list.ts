import type { Person } from '@rapporteur/contracts';
import type { StoryEvent } from './meeting-story.ts';

/** Shown for somebody whose name no layer ever said. */
export const unknownName = 'Unknown';

export interface PeopleList {
  /** Everybody but bots of ours, in order of appearance, numbered from 1. */
  readonly participants: Person[];
  /** Those of them who spoke. */
  readonly speakers: Person[];
  /** The participant number behind a platform's person id; null when unknown or the bot itself. */
  idOf(personId: string | null): number | null;
  nameOf(personId: string | null): string | null;
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
export function listPeople(events: readonly StoryEvent[]): PeopleList {
  const guests: Guest[] = [];
  const selfIds = new Set(events.flatMap((event) => (event.kind === 'person' && event.isSelf ? [event.personId] : [])));
  const guestOf = (personId: string | null): Guest | undefined =>
    personId === null ? undefined : guests.find((guest) => guest.ids.has(personId));
  for (const event of events) {
    if (event.kind === 'person' && !selfIds.has(event.personId)) notePerson(event, guests, guestOf(event.personId));
    if (event.kind === 'speaker') {
      const guest = guestOf(event.personId);
      if (guest !== undefined) guest.spoke = true;
    }
  }
  const idOf = (personId: string | null): number | null => {
    const guest = guestOf(personId);
    return guest === undefined ? null : guests.indexOf(guest) + 1;
  };
  return {
    participants: guests.map(personOf),
    speakers: guests.flatMap((guest, index) => (guest.spoke ? [personOf(guest, index)] : [])),
    idOf,
    nameOf: (personId) => guestOf(personId)?.name ?? null,
    idOfName: (name) => {
      const first = guests.findIndex((guest) => guest.name === name);
      return first === -1 || guests.some((guest, index) => index > first && guest.name === name) ? null : first + 1;
    },
  };
}

/** Who was there over all attempts: with the end of one everybody is gone, and the next one sees them come anew. */
export function listPeopleOver(
  attempts: readonly { readonly events: readonly StoryEvent[]; readonly endsAtMs: number }[],
): PeopleList {
  return listPeople(
    attempts.flatMap(({ events, endsAtMs }) => {
      const present = new Map<string, Extract<StoryEvent, { kind: 'person' }>>();
      for (const event of events) {
        if (event.kind !== 'person') continue;
        if (event.change === 'left') present.delete(event.personId);
        else present.set(event.personId, event);
      }
      const gone = [...present.values()].map((event) => ({ ...event, change: 'left' as const, atMs: endsAtMs }));
      return [...events, ...gone];
    }),
  );
}

function notePerson(event: Extract<StoryEvent, { kind: 'person' }>, guests: Guest[], known: Guest | undefined): void {
  const returning =
    known ?? guests.find((guest) => event.name !== null && guest.name === event.name && guest.presentIds.size === 0);
  const guest = returning ?? newGuest();
  if (returning === undefined) guests.push(guest);
  guest.ids.add(event.personId);
  guest.name = event.name ?? guest.name;
  guest.avatarUrl = event.avatarUrl ?? guest.avatarUrl;
  if (event.change === 'left') guest.presentIds.delete(event.personId);
  else guest.presentIds.add(event.personId);
}

function newGuest(): Guest {
  return { ids: new Set(), presentIds: new Set(), name: null, avatarUrl: null, spoke: false };
}

function personOf(guest: Guest, index: number): Person {
  const name = guest.name ?? unknownName;
  return {
    id: index + 1,
    name,
    display_name: name,
    ...(guest.avatarUrl === null ? {} : { profile_picture: guest.avatarUrl }),
  };
}
