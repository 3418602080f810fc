import type { MeetingPerson } from './platform.ts';

/** What one layer says about one person. Absent fields say nothing; null means the layer looked and found none. */
export interface PersonSighting {
  readonly id: string;
  readonly name?: string | null;
  readonly avatarUrl?: string | null;
  readonly isSelf?: boolean;
  readonly isHost?: boolean;
}

export interface PersonChange {
  readonly change: 'appeared' | 'changed' | 'left';
  readonly person: MeetingPerson;
}

/** Nobody's meeting is larger; a page that names more people than this is not believed further. */
const mostPeople = 2_000;

/** Everybody seen during a visit, in order of appearance. Layers add to it; what is known is never forgotten. */
export class Roster {
  readonly #people = new Map<string, MeetingPerson>();

  people(): MeetingPerson[] {
    return [...this.#people.values()];
  }

  find(id: string): MeetingPerson | null {
    return this.#people.get(id) ?? null;
  }

  /** A layer sees somebody present. */
  see(sighting: PersonSighting, atMs: number): PersonChange | null {
    const known = this.#people.get(sighting.id);
    if (known === undefined && this.#people.size >= mostPeople) return null;
    const person: MeetingPerson = {
      id: sighting.id,
      name: sighting.name ?? known?.name ?? null,
      avatarUrl: sighting.avatarUrl ?? known?.avatarUrl ?? null,
      isSelf: sighting.isSelf === true || known?.isSelf === true,
      isHost: sighting.isHost ?? known?.isHost ?? false,
      present: true,
      appearedAtMs: known?.appearedAtMs ?? atMs,
      leftAtMs: null,
    };
    if (known !== undefined && sameAs(known, person)) return null;
    this.#people.set(person.id, person);
    return { change: known?.present === true ? 'changed' : 'appeared', person };
  }

  /** A layer says somebody is gone. */
  leave(id: string, atMs: number): PersonChange | null {
    const known = this.#people.get(id);
    if (known === undefined || !known.present) return null;
    const person: MeetingPerson = { ...known, present: false, leftAtMs: atMs };
    this.#people.set(id, person);
    return { change: 'left', person };
  }
}

function sameAs(a: MeetingPerson, b: MeetingPerson): boolean {
  return (
    a.name === b.name &&
    a.avatarUrl === b.avatarUrl &&
    a.isSelf === b.isSelf &&
    a.isHost === b.isHost &&
    a.present === b.present
  );
}
