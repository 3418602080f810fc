import type { MeetingParticipant } from './platform.ts';

/** What one layer reports about one participant. Absent fields are unknown; null means that the layer found none. */
export interface ParticipantSighting {
  readonly id: string;
  readonly name?: string | null;
  readonly avatarUrl?: string | null;
  readonly isSelf?: boolean;
  readonly isHost?: boolean;
}

export interface ParticipantChange {
  readonly change: 'appeared' | 'changed' | 'left';
  readonly participant: MeetingParticipant;
}

/** Larger than any meeting; further participants of a page are ignored. */
const mostParticipants = 2_000;

/** All participants of a session, in order of appearance. Layers add facts; none is removed. */
export class Roster {
  readonly #participants = new Map<string, MeetingParticipant>();
  /** Ids of those present, by their name. */
  readonly #presentIds = new Map<string, Set<string>>();

  participants(): MeetingParticipant[] {
    return [...this.#participants.values()];
  }

  find(id: string): MeetingParticipant | null {
    return this.#participants.get(id) ?? null;
  }

  /** Those present under this name. */
  named(name: string): MeetingParticipant[] {
    return [...(this.#presentIds.get(name) ?? [])].flatMap((id) => this.#participants.get(id) ?? []);
  }

  /** A layer reports a present participant. */
  see(sighting: ParticipantSighting, atMs: number): ParticipantChange | null {
    const known = this.#participants.get(sighting.id);
    if (known === undefined && this.#participants.size >= mostParticipants) return null;
    const participant: MeetingParticipant = {
      id: sighting.id,
      name: sighting.name ?? known?.name ?? null,
      avatarUrl: sighting.avatarUrl ?? known?.avatarUrl ?? null,
      isSelf: sighting.isSelf ?? known?.isSelf ?? false,
      isHost: sighting.isHost ?? known?.isHost ?? false,
      present: true,
      appearedAtMs: known?.appearedAtMs ?? atMs,
      leftAtMs: null,
    };
    if (known !== undefined && sameAs(known, participant)) return null;
    this.#keep(participant, known);
    return { change: known?.present === true ? 'changed' : 'appeared', participant };
  }

  /** A layer reports that a participant has left. */
  leave(id: string, atMs: number): ParticipantChange | null {
    const known = this.#participants.get(id);
    if (known === undefined || !known.present) return null;
    const participant: MeetingParticipant = { ...known, present: false, leftAtMs: atMs };
    this.#keep(participant, known);
    return { change: 'left', participant };
  }

  #keep(participant: MeetingParticipant, known: MeetingParticipant | undefined): void {
    const { id, name, present } = participant;
    this.#participants.set(id, participant);
    if (known?.name === name && known.present === present) return;
    const before = known?.name == null ? undefined : this.#presentIds.get(known.name);
    before?.delete(id);
    if (before?.size === 0) this.#presentIds.delete(known?.name ?? '');
    if (!present || name === null) return;
    const ids = this.#presentIds.get(name) ?? new Set();
    this.#presentIds.set(name, ids.add(id));
  }
}

/** Each with its place, from 1, among those of its name. */
export function placed<T extends { readonly name: string }>(
  participants: readonly T[],
): (T & { readonly place: number })[] {
  const places = new Map<string, number>();
  return participants.map((participant) => {
    const place = (places.get(participant.name) ?? 0) + 1;
    places.set(participant.name, place);
    return { ...participant, place };
  });
}

/** A page does not distinguish participants with one name: each has an id by its place among them. */
export function idByName(layer: 'name' | 'tile', name: string, place: number): string {
  return place === 1 ? `${layer}:${name}` : `${layer}#${place}:${name}`;
}

export function changesIn(changes: readonly (ParticipantChange | null)[]): ParticipantChange[] {
  return changes.filter((change) => change !== null);
}

function sameAs(a: MeetingParticipant, b: MeetingParticipant): boolean {
  return (
    a.name === b.name &&
    a.avatarUrl === b.avatarUrl &&
    a.isSelf === b.isSelf &&
    a.isHost === b.isHost &&
    a.present === b.present
  );
}
