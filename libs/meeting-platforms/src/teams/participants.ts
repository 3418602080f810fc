import type { MeetingParticipant, SpeakerSource } from '../platform.ts';
import { changesIn, idByName, placed, Roster } from '../roster.ts';
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
const placeholderId = 'self';
const guestId = /^8:(teamsvisitor|guest|anon)/i;
const noOwner: SpeechOwner = { participantId: null, name: null, isSelf: false };

interface TileSpan {
  readonly name: string;
  /** From 1, among the tiles of this name. */
  readonly place: number;
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
  /** The keys are those of `idByName`. */
  readonly #tiles = new Map<string, TileSpan>();
  /** The record of the bot. */
  #selfRecord: { readonly id: string; readonly byClient: boolean } | null = null;
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

  /** Finds a participant by the id in the records. */
  findRecord(recordId: string): MeetingParticipant | null {
    return this.#find(recordId);
  }

  /** The name that the bot typed: it is recognized by it until the client names its record. */
  setOwnName(name: string): void {
    this.#ownName = plainName(name);
  }

  /** A frame of the signalling: changes only. */
  applyFrame(participants: readonly TeamsParticipant[], atMs: number): ParticipantChange[] {
    if (participants.length > 0) this.#readAtMs = atMs;
    return changesIn(participants.flatMap((participant) => this.#applyRecord(participant, atMs)));
  }

  /** The full roster. A participant missing there has left, unless the page still shows them. */
  applySnapshot(participants: readonly TeamsParticipant[], atMs: number): ParticipantChange[] {
    this.#readAtMs = atMs;
    if (participants.length === 0) return [];
    this.#fullListAtMs = atMs;
    const changes = participants.flatMap((participant) => this.#applyRecord(participant, atMs));
    return changesIn([...changes, ...this.#leaveUnlisted(new Set(participants.map(({ id }) => id)), atMs)]);
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
    const before = globals.selfId === null ? null : this.#recognize({ id: globals.selfId, byClient: true }, atMs);
    const changes = this.applySnapshot(participants, atMs);
    const self = globals.selfId === null ? null : this.#find(globals.selfId);
    const known = self === null ? null : this.#roster.see({ id: self.id, isSelf: true }, atMs);
    return changesIn([before, ...changes, known]);
  }

  /** The tiles on the page. Call only while in the call. */
  applyTiles(tiles: readonly TeamsTile[], stage: boolean, atMs: number): ParticipantChange[] {
    const named = tiles.flatMap(({ isScreen, name: shown }) => {
      const name = isScreen ? null : plainName(shown);
      return name === null ? [] : [{ name }];
    });
    for (const { name, place } of placed(named)) {
      this.#readAtMs = atMs;
      if (!this.#isOwnTile({ name, place })) this.#othersTileSeenMs = atMs;
      const id = idByName('tile', name, place);
      this.#tiles.set(id, { name, place, sinceMs: this.#tiles.get(id)?.sinceMs ?? atMs, seenMs: atMs });
    }
    const changes = [...this.#tiles].map(([id, span]) => this.#applyTile(id, span, atMs));
    return changesIn([...changes, this.#selfWithoutRecord(atMs), ...(stage ? this.#leaveWhenAlone(atMs) : [])]);
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
      ownName: this.#nameOfSelf(),
      participants: roster.flatMap(({ name }) => name ?? []),
    };
  }

  #applyRecord(record: TeamsParticipant, atMs: number): (ParticipantChange | null)[] {
    for (const streamId of record.speakers) this.#speakers.set(streamId, record.id);
    const known = this.#find(record.id);
    if (record.present === false) {
      this.#presentRecords.delete(record.id);
      for (const [id, { name }] of this.#tiles) if (name === known?.name) this.#tiles.delete(id);
      return known === null ? [] : [this.#roster.leave(known.id, atMs), this.#succeedSelf(atMs)];
    }
    // A change may name a participant without saying whether they are here.
    if (record.present === null && !this.#presentRecords.has(record.id)) return [];
    this.#presentRecords.add(record.id);
    const name = plainName(record.displayName);
    if (this.#isOwnRecord(record, name)) this.#recognize({ id: record.id, byClient: false }, atMs);
    const isOwn = this.#selfRecord?.id === record.id;
    const id = this.#participantIds.get(record.id) ?? this.#tileParticipant(name) ?? record.id;
    this.#participantIds.set(record.id, id);
    const sighting = {
      id,
      ...(name === null ? {} : { name }),
      ...(record.isHost ? { isHost: true } : {}),
      ...(isOwn ? { isSelf: true } : {}),
    };
    return [this.#roster.see(sighting, atMs)];
  }

  /** A bot that typed its name is a guest. */
  #isOwnRecord(record: TeamsParticipant, name: string | null): boolean {
    if (name === null || name !== this.#ownName) return false;
    if (this.#selfRecord !== null && (this.#selfRecord.byClient || this.#presentRecords.has(this.#selfRecord.id)))
      return false;
    return guestId.test(record.id) || isMarkedGuest(record.displayName);
  }

  /** An earlier presence of the bot has its name for a while. When it leaves, the guest who stays is the bot. */
  #succeedSelf(atMs: number): ParticipantChange | null {
    const before = this.#selfRecord;
    if (before === null || before.byClient || this.#presentRecords.has(before.id)) return null;
    const id = [...this.#presentRecords].find((one) => guestId.test(one) && this.#find(one)?.name === this.#ownName);
    const heir = id === undefined ? null : this.#find(id);
    if (id === undefined || heir === null) return null;
    this.#selfRecord = { id, byClient: false };
    return this.#roster.see({ id: heir.id, isSelf: true }, atMs);
  }

  /** From now on this record is the bot, and no other is. */
  #recognize(record: { readonly id: string; readonly byClient: boolean }, atMs: number): ParticipantChange | null {
    const before = this.#selfRecord;
    if (before?.id === record.id) return null;
    this.#selfRecord = record;
    const taken = [...this.#participantIds.values()].includes(placeholderId);
    if (before === null && !taken && this.#find(record.id) === null && this.#roster.find(placeholderId) !== null)
      this.#participantIds.set(record.id, placeholderId);
    const other = before === null ? null : this.#find(before.id);
    // The bot's earlier presence stays the bot's when it has left.
    return other?.present === true ? this.#roster.see({ id: other.id, isSelf: false }, atMs) : null;
  }

  #nameOfSelf(): string | null {
    return (this.#selfRecord === null ? null : this.#find(this.#selfRecord.id)?.name) ?? this.#ownName;
  }

  #isOwnTile({ name, place }: Pick<TileSpan, 'name' | 'place'>): boolean {
    return name === this.#nameOfSelf() && place === 1;
  }

  #leaveUnlisted(listed: ReadonlySet<string>, atMs: number): (ParticipantChange | null)[] {
    return [...this.#presentRecords]
      .filter((id) => !listed.has(id))
      .map((id) => ({ id, participant: this.#find(id) }))
      .filter(({ participant: member }) => member !== null && !member.isSelf)
      .filter(({ participant: member }) => {
        const sameName = [...listed].filter((id) => this.#find(id)?.name === member!.name).length;
        const tile = this.#tiles.get(idByName('tile', member!.name ?? '', sameName + 1));
        return atMs - (tile?.seenMs ?? member!.appearedAtMs) > tileGoneMs;
      })
      .map(({ id, participant: member }) => {
        this.#presentRecords.delete(id);
        return this.#roster.leave(member!.id, atMs);
      });
  }

  #applyTile(id: string, span: TileSpan, atMs: number): ParticipantChange | null {
    const { name, place } = span;
    const reported = this.#roster.find(id);
    const recorded = [...this.#participantIds].some(
      ([recordId, participantId]) => participantId === id && this.#presentRecords.has(recordId),
    );
    if (atMs - span.seenMs >= tileGoneMs) {
      this.#tiles.delete(id);
      return recorded ? null : this.#roster.leave(id, atMs);
    }
    if (this.#isOwnTile(span) || recorded) return null;
    if (reported === null && this.#roster.named(name).length >= place) return null;
    return atMs - span.sinceMs >= tileAloneMs ? this.#roster.see({ id, name }, atMs) : null;
  }

  /** The bot is in the call even where no record identifies it. */
  #selfWithoutRecord(atMs: number): ParticipantChange | null {
    if (this.#self() !== null) return null;
    return this.#roster.see({ id: placeholderId, name: this.#ownName, isSelf: true }, atMs);
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
    const recorded = new Set(this.#participantIds.values());
    const onTiles = name === null ? [] : this.#roster.named(name).filter(({ id }) => /^tile[:#]/.test(id));
    return onTiles.find(({ id }) => !recorded.has(id))?.id ?? null;
  }

  #self(): MeetingParticipant | null {
    return this.#roster.participants().findLast((member) => member.isSelf) ?? null;
  }

  #named(name: string | null): MeetingParticipant | null {
    if (name === null) return null;
    const roster = this.#roster.named(name);
    const others = roster.filter((member) => !member.isSelf);
    return roster.length === 1 ? roster[0]! : others.length === 1 ? others[0]! : null;
  }
}
