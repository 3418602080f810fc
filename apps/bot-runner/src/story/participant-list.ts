import type { Participant } from '@rapporteur/contracts';
import type { StoryEvent } from './story-event.ts';

/** Shown for a participant whose name no source gave. */
export const unknownName = 'Unknown';

/** The participant that a signal is about, as far as its source distinguishes participants. */
export interface Identity {
  /** Null: not identified, or one of `candidates`. */
  readonly id: number | null;
  readonly name: string | null;
  /** The participants with this name, where the source gives only the name and several have it; empty otherwise. */
  readonly candidates: readonly number[];
}

export interface ParticipantList {
  /** All participants but our own bots, in order of appearance, numbered from 1. */
  readonly participants: readonly Participant[];
  /** Those of them who spoke. */
  readonly speakers: readonly Participant[];
  /** The participant number of a platform's participant id; null when unknown or the bot itself. */
  idOf(participantId: string | null): number | null;
  nameOf(participantId: string | null): string | null;
  /**
   * Identifies a participant by the platform's participant id; only where the source gives no id, by the name at that
   * time (epoch ms).
   */
  identify(participantId: string | null, name: string | null, atMs: number): Identity;
}

type ParticipantEvent = Extract<StoryEvent, { kind: 'participant' }>;

interface Guest {
  /** From 1, in order of appearance. */
  readonly number: number;
  readonly firstId: string;
  readonly presentIds: Set<string>;
  name: string | null;
  avatarUrl: string | null;
  spoke: boolean;
  /** As last listed; null after a change. */
  listed: Participant | null;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface SameName {
  /** When each participant was present under the name, from the first to the last time. */
  readonly used: Map<Guest, Span>;
  /** Participants who left and may come back. */
  readonly absent: Set<Guest>;
}

/** Maximum deviation of the list of participants from chat and speech. */
const rosterLagMs = 30_000;
/** Ids of Teams accounts are the same in every meeting: two of them are two participants. */
const accountId = /^8:(?!teamsvisitor|guest|anon)/i;

/**
 * Who was present, event by event, attempts in their order. A participant who leaves and comes back under the same name
 * is one participant, even with a new platform id, unless several left under that name or the ids are accounts; two
 * present at once under one name are two. A rename keeps the participant. The cost of an event does not depend on the
 * size of the meeting.
 */
export class LiveParticipants implements ParticipantList {
  readonly #events: StoryEvent[] = [];
  readonly #selfIds = new Set<string>();
  #guests: Guest[] = [];
  #byId = new Map<string, Guest>();
  #byName = new Map<string, SameName>();
  #applied = 0;
  #revision = 0;

  /** Changes when the lists change. */
  get revision(): number {
    this.#catchUp();
    return this.#revision;
  }

  get participants(): readonly Participant[] {
    this.#catchUp();
    return this.#guests.map(participantOf);
  }

  get speakers(): readonly Participant[] {
    this.#catchUp();
    return this.#guests.filter(({ spoke }) => spoke).map(participantOf);
  }

  add(event: StoryEvent): void {
    if (event.kind !== 'participant' && event.kind !== 'speaker') return;
    this.#events.push(event);
    if (event.kind !== 'participant' || !event.isSelf || this.#selfIds.has(event.participantId)) return;
    this.#selfIds.add(event.participantId);
    // A participant is identified as the bot: the others are numbered without it.
    if (!this.#byId.has(event.participantId)) return;
    this.#applied = 0;
    this.#revision += 1;
  }

  idOf(participantId: string | null): number | null {
    return this.#find(participantId)?.number ?? null;
  }

  nameOf(participantId: string | null): string | null {
    return this.#find(participantId)?.name ?? null;
  }

  identify(participantId: string | null, name: string | null, atMs: number): Identity {
    if (participantId !== null)
      return { id: this.idOf(participantId), name: this.nameOf(participantId) ?? name, candidates: [] };
    this.#catchUp();
    const used = [...(this.#named(name)?.used ?? [])];
    const then = used.filter(([, { fromMs, toMs }]) => atMs >= fromMs - rosterLagMs && atMs <= toMs + rosterLagMs);
    const numbers = (then.length > 0 ? then : used).map(([guest]) => guest.number);
    const [only = null, another] = numbers;
    return another === undefined
      ? { id: only, name, candidates: [] }
      : { id: null, name, candidates: numbers.toSorted((one, other) => one - other) };
  }

  #find(participantId: string | null): Guest | undefined {
    this.#catchUp();
    return participantId === null ? undefined : this.#byId.get(participantId);
  }

  #catchUp(): void {
    if (this.#applied === 0) {
      this.#guests = [];
      this.#byId = new Map();
      this.#byName = new Map();
    }
    for (; this.#applied < this.#events.length; this.#applied += 1) this.#apply(this.#events[this.#applied]!);
  }

  #apply(event: StoryEvent): void {
    if (event.kind === 'participant' && !this.#selfIds.has(event.participantId)) this.#applyParticipant(event);
    if (event.kind !== 'speaker' || event.participantId === null) return;
    const guest = this.#byId.get(event.participantId);
    if (guest === undefined || guest.spoke) return;
    guest.spoke = true;
    this.#revision += 1;
  }

  #applyParticipant(event: ParticipantEvent): void {
    const guest = this.#byId.get(event.participantId) ?? this.#returning(event) ?? this.#newGuest(event.participantId);
    this.#byId.set(event.participantId, guest);
    const name = event.name ?? guest.name;
    const avatarUrl = event.avatarUrl ?? guest.avatarUrl;
    if (name !== guest.name || avatarUrl !== guest.avatarUrl) {
      guest.listed = null;
      this.#revision += 1;
    }
    this.#rename(guest, name, event.atMs);
    guest.avatarUrl = avatarUrl;
    if (event.change === 'left') guest.presentIds.delete(event.participantId);
    else guest.presentIds.add(event.participantId);
    const group = this.#named(name);
    if (group === undefined) return;
    const isPresent = guest.presentIds.size > 0;
    if (isPresent) group.absent.delete(guest);
    else group.absent.add(guest);
    group.used.set(guest, usedUntil(group.used.get(guest), isPresent ? Infinity : event.atMs, event.atMs));
  }

  #returning({ participantId, name }: ParticipantEvent): Guest | undefined {
    const [only, another] = this.#named(name)?.absent ?? [];
    if (only === undefined || another !== undefined) return undefined;
    return accountId.test(participantId) && accountId.test(only.firstId) ? undefined : only;
  }

  #newGuest(firstId: string): Guest {
    const guest: Guest = {
      firstId,
      number: this.#guests.length + 1,
      presentIds: new Set(),
      name: null,
      avatarUrl: null,
      spoke: false,
      listed: null,
    };
    this.#guests.push(guest);
    this.#revision += 1;
    return guest;
  }

  #rename(guest: Guest, name: string | null, atMs: number): void {
    if (name === guest.name) return;
    const before = this.#named(guest.name);
    before?.absent.delete(guest);
    before?.used.set(guest, usedUntil(before.used.get(guest), atMs, atMs));
    guest.name = name;
    if (name !== null && !this.#byName.has(name)) this.#byName.set(name, { used: new Map(), absent: new Set() });
  }

  #named(name: string | null): SameName | undefined {
    return name === null ? undefined : this.#byName.get(name);
  }
}

/** Participants, derived from all events. */
export function listParticipants(events: readonly StoryEvent[]): ParticipantList {
  const participants = new LiveParticipants();
  for (const event of events) participants.add(event);
  return participants;
}

/** Participants over all attempts: at the end of an attempt all have left, and they appear again in the next one. */
export function listParticipantsOver(
  attempts: readonly { readonly events: readonly StoryEvent[]; readonly endsAtMs: number }[],
): ParticipantList {
  return listParticipants(
    attempts.flatMap(({ events, endsAtMs }) => {
      const present = new Map<string, ParticipantEvent>();
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

function usedUntil(known: Span | undefined, toMs: number, atMs: number): Span {
  return { fromMs: known?.fromMs ?? atMs, toMs };
}

function participantOf(guest: Guest): Participant {
  guest.listed ??= describe(guest);
  return guest.listed;
}

function describe({ number, name: known, avatarUrl }: Guest): Participant {
  const name = known ?? unknownName;
  return { id: number, name, display_name: name, ...(avatarUrl === null ? {} : { profile_picture: avatarUrl }) };
}
