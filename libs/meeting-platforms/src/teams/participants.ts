import type { MeetingParticipant, SpeakerSource } from '../platform.ts';
import { Roster } from '../roster.ts';
import type { ParticipantChange } from '../roster.ts';
import type { SpeechOwner } from '../speaker-turns.ts';
import { isMarkedGuest, plainName } from './display-name.ts';
import type { TeamsGlobals, TeamsTile } from './page-state.ts';
import type { TeamsParticipant } from './signalling.ts';
import type { TeamsSpeechOwners } from './teams.page.ts';

/** A tile may vanish while the page changes its layout, and outlive its participant for a moment. */
const tileGoneMs = 3_000;
/** A tile without a record for this long is a participant without a record. */
const tileAloneMs = 3_000;
/** When no other tile was on the page for this long, all others have left, unless a full list differs. */
const aloneMs = 10_000;
/** More than speak in any meeting. */
const mostHints = 2_000;
/** The id of the bot in its own call until a record names it. */
const selfId = 'self';
const guestId = /^8:(teamsvisitor|guest|anon)/i;
const noOwner: SpeechOwner = { participantId: null, name: null, isSelf: false };

interface TileSpan {
  readonly sinceMs: number;
  seenMs: number;
}

/** Who is in a Teams call: records (frames, the fetched roster, the client's objects) first, tiles second. */
export class TeamsRoster {
  readonly #roster = new Roster();
  /** Stream id -> id in the records. */
  readonly #speakers = new Map<string, string>();
  /** Stream id -> name, from the page, where no record has it. */
  readonly #speechHints = new Map<string, string>();
  /** Id in the records -> participant; they differ where a tile had reported the participant before. */
  readonly #participantIds = new Map<string, string>();
  /** Records that report presence and were not revoked. */
  readonly #presentRecords = new Set<string>();
  readonly #tiles = new Map<string, TileSpan>();
  #ownName: string | null = null;
  #othersTileSeenMs: number | null = null;
  #fullListAtMs = -Infinity;
  #readAtMs: number | null = null;

  /** Last time at which any layer reported a participant. */
  get readAtMs(): number | null {
    return this.#readAtMs;
  }

  participants(): MeetingParticipant[] {
    return this.#roster.participants();
  }

  find(id: string): MeetingParticipant | null {
    return this.#roster.find(id);
  }

  /** By the id in the records. */
  findRecord(recordId: string): MeetingParticipant | null {
    return this.#find(recordId);
  }

  /** The name that the bot typed: the bot is recognized by it. */
  setOwnName(name: string): void {
    this.#ownName = plainName(name);
  }

  /** A frame of the signalling: changes only. */
  applyFrame(participants: readonly TeamsParticipant[], atMs: number): ParticipantChange[] {
    if (participants.length > 0) this.#readAtMs = atMs;
    return present(participants.map((participant) => this.#applyRecord(participant, atMs)));
  }

  /** The full roster. A participant missing there has left, unless the page still shows them. */
  applySnapshot(participants: readonly TeamsParticipant[], atMs: number): ParticipantChange[] {
    if (participants.length === 0) return [];
    this.#readAtMs = atMs;
    this.#fullListAtMs = atMs;
    const changes = participants.map((participant) => this.#applyRecord(participant, atMs));
    return present([...changes, ...this.#leaveUnlisted(new Set(participants.map(({ id }) => id)), atMs)]);
  }

  /** What the client's debugging objects list. */
  applyGlobals(globals: TeamsGlobals, atMs: number): ParticipantChange[] {
    const participants = globals.participants.map(({ id, displayName }) => ({
      id,
      displayName,
      present: true,
      isHost: this.#find(id)?.isHost ?? false,
      speakers: [],
    }));
    const ownId = this.#isRecognised() ? null : globals.selfId;
    if (ownId !== null && this.#find(ownId) === null && this.#roster.find(selfId) !== null)
      this.#participantIds.set(ownId, selfId);
    const changes = this.applySnapshot(participants, atMs);
    const self = ownId === null ? null : this.#find(ownId);
    const known = self === null ? null : this.#roster.see({ id: self.id, isSelf: true }, atMs);
    return present([...changes, known]);
  }

  /** The tiles on the page. Call only while in the call. */
  applyTiles(tiles: readonly TeamsTile[], stage: boolean, atMs: number): ParticipantChange[] {
    const names = new Set(tiles.flatMap((tile) => (tile.isScreen ? [] : [plainName(tile.name) ?? ''])));
    names.delete('');
    if (names.size > 0) this.#readAtMs = atMs;
    for (const name of names) {
      if (name !== this.#ownName) this.#othersTileSeenMs = atMs;
      const span = this.#tiles.get(name);
      if (span === undefined) this.#tiles.set(name, { sinceMs: atMs, seenMs: atMs });
      else span.seenMs = atMs;
    }
    const changes = [...this.#tiles].map(([name, span]) => this.#applyTile(name, span, atMs));
    return present([...changes, this.#selfWithoutRecord(atMs), ...(stage ? this.#leaveWhenAlone(atMs) : [])]);
  }

  hintSpeech(streamId: string, displayName: string): void {
    const name = plainName(displayName);
    if (name !== null && this.#speechHints.size < mostHints) this.#speechHints.set(streamId, name);
  }

  ownerOf(source: SpeakerSource, key: string): SpeechOwner {
    const name = source === 'tiles' ? plainName(key) : (this.#speechHints.get(key) ?? null);
    const member = this.#find(this.#speakers.get(key) ?? '') ?? this.#named(name);
    if (member === null) return { ...noOwner, name };
    return { participantId: member.id, name: member.name, isSelf: member.isSelf };
  }

  /** The participant of that name in the records. Null when two have it. */
  senderOf(displayName: string | null): MeetingParticipant | null {
    return this.#named(plainName(displayName));
  }

  speechOwners(): TeamsSpeechOwners {
    const names = [...this.#speakers].flatMap(([streamId, recordId]) => {
      const name = this.#find(recordId)?.name;
      return name == null ? [] : [[streamId, name] as const];
    });
    const roster = this.#roster.participants().filter((member) => member.present && !member.isSelf);
    return {
      names: Object.fromEntries(names),
      ownName: this.#ownName,
      participants: roster.flatMap(({ name }) => name ?? []),
    };
  }

  #applyRecord(record: TeamsParticipant, atMs: number): ParticipantChange | null {
    for (const streamId of record.speakers) this.#speakers.set(streamId, record.id);
    const known = this.#find(record.id);
    if (record.present === false) {
      this.#presentRecords.delete(record.id);
      this.#tiles.delete(known?.name ?? '');
      return known === null ? null : this.#roster.leave(known.id, atMs);
    }
    // A change may name a participant without saying whether they are here.
    if (record.present === null && !this.#presentRecords.has(record.id)) return null;
    this.#presentRecords.add(record.id);
    const name = plainName(record.displayName);
    const isOwn = this.#isOwnRecord(record, name);
    const placeholder = isOwn ? (this.#roster.find(selfId)?.id ?? null) : null;
    const id = known?.id ?? placeholder ?? this.#tileParticipant(name) ?? record.id;
    this.#participantIds.set(record.id, id);
    return this.#roster.see(
      {
        id,
        ...(name === null ? {} : { name }),
        ...(record.isHost ? { isHost: true } : {}),
        ...(isOwn ? { isSelf: true } : {}),
      },
      atMs,
    );
  }

  /** The bot is never signed in, so it can't be a signed-in participant with its name. */
  #isOwnRecord(record: TeamsParticipant, name: string | null): boolean {
    if (name === null || name !== this.#ownName || this.#isRecognised()) return false;
    return guestId.test(record.id) || isMarkedGuest(record.displayName);
  }

  /** A record identifies the bot: the placeholder of the bot does not count. */
  #isRecognised(): boolean {
    return [...this.#participantIds.values()].some((id) => this.#roster.find(id)?.isSelf === true);
  }

  #leaveUnlisted(listed: ReadonlySet<string>, atMs: number): (ParticipantChange | null)[] {
    return [...this.#presentRecords]
      .filter((id) => !listed.has(id))
      .map((id) => ({ id, participant: this.#find(id) }))
      .filter(({ participant: member }) => member !== null && !member.isSelf)
      .filter(
        ({ participant: member }) =>
          atMs - (this.#tiles.get(member!.name ?? '')?.seenMs ?? member!.appearedAtMs) > tileGoneMs,
      )
      .map(({ id, participant: member }) => {
        this.#presentRecords.delete(id);
        return this.#roster.leave(member!.id, atMs);
      });
  }

  #applyTile(name: string, span: TileSpan, atMs: number): ParticipantChange | null {
    const id = tileId(name);
    const reported = this.#roster.find(id);
    const recorded = [...this.#participantIds].some(
      ([recordId, participantId]) => participantId === id && this.#presentRecords.has(recordId),
    );
    if (atMs - span.seenMs >= tileGoneMs) {
      this.#tiles.delete(name);
      return recorded ? null : this.#roster.leave(id, atMs);
    }
    if (name === this.#ownName || recorded) return null;
    if (reported === null && this.#roster.named(name).length > 0) return null;
    return atMs - span.sinceMs >= tileAloneMs ? this.#roster.see({ id, name }, atMs) : null;
  }

  /** The bot is in the call even where no record identifies it. */
  #selfWithoutRecord(atMs: number): ParticipantChange | null {
    if (this.#self() !== null) return null;
    return this.#roster.see({ id: selfId, name: this.#ownName, isSelf: true }, atMs);
  }

  #leaveWhenAlone(atMs: number): (ParticipantChange | null)[] {
    const lastSeenMs = this.#othersTileSeenMs;
    if (lastSeenMs === null || atMs - lastSeenMs < aloneMs || atMs - this.#fullListAtMs < aloneMs) return [];
    return this.#roster
      .participants()
      .filter((member) => member.present && !member.isSelf && atMs - member.appearedAtMs >= aloneMs)
      .map((member) => this.#roster.leave(member.id, atMs));
  }

  #find(recordId: string): MeetingParticipant | null {
    const id = this.#participantIds.get(recordId);
    return id === undefined ? null : this.#roster.find(id);
  }

  /** A present participant that only a tile has reported so far. */
  #tileParticipant(name: string | null): string | null {
    const id = name === null ? null : tileId(name);
    const member = id === null ? null : this.#roster.find(id);
    if (member?.present !== true) return null;
    return [...this.#participantIds.values()].includes(member.id) ? null : member.id;
  }

  #self(): MeetingParticipant | null {
    return this.#roster.participants().find((member) => member.isSelf) ?? null;
  }

  #named(name: string | null): MeetingParticipant | null {
    if (name === null) return null;
    const roster = this.#roster.named(name);
    const others = roster.filter((member) => !member.isSelf);
    return roster.length === 1 ? roster[0]! : others.length === 1 ? others[0]! : null;
  }
}

function tileId(name: string): string {
  return `tile:${name}`;
}

function present(changes: readonly (ParticipantChange | null)[]): ParticipantChange[] {
  return changes.filter((change) => change !== null);
}
