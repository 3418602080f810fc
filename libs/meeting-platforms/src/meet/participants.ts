import type { MeetingParticipant, SpeakerSource } from '../platform.ts';
import { changesIn, Roster } from '../roster.ts';
import type { ParticipantChange } from '../roster.ts';
import type { SpeechOwner } from '../speaker-turns.ts';
import type { CollectionChange, CollectionUser } from './collections.ts';
import type { MeetStreamOwners } from './meet.page.ts';
import type { MeetTile } from './page-state.ts';

/** A tile may vanish while the page changes its layout. */
const tileGoneMs = 3_000;
/**
 * When no other tile was on the page for this long, all others have left, even if records differ: they lag by a minute.
 */
const aloneMs = 10_000;

/** Who is in a Google Meet call, from its records (channel and RPC) first and its tiles second. */
export class MeetRoster {
  readonly #roster = new Roster();
  readonly #speakers = new Map<string, string>();
  readonly #videos = new Map<string, string>();
  /** Shared screen -> its participant. */
  readonly #screens = new Map<string, string>();
  /** Their tracks may continue without video. */
  readonly #screensGone = new Set<string>();
  readonly #inRecords = new Set<string>();
  readonly #leftByRecord = new Set<string>();
  readonly #tileSeenMs = new Map<string, number>();
  #othersTileSeenMs: number | null = null;
  /** Some pages mark every tile like the own one. */
  #markSaysNothing = false;
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

  /** A message of the channel `collections`. */
  applyCollections(change: CollectionChange, atMs: number): ParticipantChange[] {
    for (const output of change.outputs) {
      (output.kind === 'audio' ? this.#speakers : this.#videos).set(output.streamId, output.deviceId);
    }
    if (change.users.length > 0) this.#readAtMs = atMs;
    return changesIn(change.users.map((user) => this.#applyUser(user, atMs)));
  }

  /**
   * The full list of participants in the call. A participant missing there has left, unless the page still shows them.
   */
  applySync(users: readonly CollectionUser[], atMs: number): ParticipantChange[] {
    if (users.length === 0) return [];
    this.#readAtMs = atMs;
    const listed = new Set(users.map((user) => user.deviceId));
    const seen = users.map((user) => this.#applyUser(user, atMs));
    const gone = this.#roster
      .participants()
      .filter(
        (participant) => !participant.isSelf && !listed.has(participant.id) && this.#inRecords.has(participant.id),
      )
      .filter((participant) => atMs - (this.#tileSeenMs.get(participant.id) ?? participant.appearedAtMs) > tileGoneMs)
      .map((participant) => this.#roster.leave(participant.id, atMs));
    return changesIn([...seen, ...gone]);
  }

  /** The tiles on the page. Call only while in the call. */
  applyTiles(tiles: readonly MeetTile[], atMs: number): ParticipantChange[] {
    const changes: (ParticipantChange | null)[] = [];
    const selfId = this.#ownTileOf(tiles);
    for (const tile of tiles) {
      if (tile.isScreen === true || this.#screens.has(tile.participantId)) continue;
      this.#readAtMs = atMs;
      this.#tileSeenMs.set(tile.participantId, atMs);
      const isSelf = tile.participantId === selfId;
      if (!isSelf) this.#othersTileSeenMs = atMs;
      if (this.#leftByRecord.has(tile.participantId)) continue;
      const named = this.#inRecords.has(tile.participantId) && this.#roster.find(tile.participantId)?.name != null;
      changes.push(
        this.#roster.see(
          { id: tile.participantId, ...(named ? {} : { name: tile.name }), ...(isSelf ? { isSelf: true } : {}) },
          atMs,
        ),
      );
    }
    return changesIn([...changes, ...this.#leaveWithoutTile(tiles, atMs)]);
  }

  ownerOf(source: SpeakerSource, key: string): SpeechOwner {
    // Contributing sources name a stream, the other layers the participant.
    const id = source === 'contributing-sources' ? (this.#speakers.get(key) ?? null) : key;
    const participant = id === null ? null : this.#roster.find(this.#screens.get(id) ?? id);
    return {
      participantId: participant?.id ?? null,
      name: participant?.name ?? null,
      isSelf: participant?.isSelf ?? false,
    };
  }

  streamOwners(): MeetStreamOwners {
    const participants = this.#roster.participants();
    const names = participants.flatMap((participant) =>
      participant.name === null ? [] : [[participant.id, participant.name] as const],
    );
    const screenNames = [...this.#screens].flatMap(([screen, owner]) => {
      const name = this.#roster.find(owner)?.name;
      return name == null ? [] : [[screen, name] as const];
    });
    return {
      speakers: Object.fromEntries(this.#speakers),
      videos: Object.fromEntries([...this.#videos].filter(([, id]) => this.#mayShow(id))),
      screens: [...this.#screens.keys()],
      names: Object.fromEntries([...names, ...screenNames]),
      selfId: participants.find((participant) => participant.isSelf)?.id ?? null,
      participants: participants.flatMap((participant) =>
        participant.present && !participant.isSelf ? [participant.id] : [],
      ),
    };
  }

  #mayShow(id: string): boolean {
    return this.#screens.has(id) || (!this.#screensGone.has(id) && this.#roster.find(id)?.present !== false);
  }

  #applyUser(user: CollectionUser, atMs: number): ParticipantChange | null {
    if (user.parentDeviceId !== null) {
      if (user.presence === 'left' || user.presence === 'removed') {
        this.#screens.delete(user.deviceId);
        this.#screensGone.add(user.deviceId);
      } else this.#screens.set(user.deviceId, user.parentDeviceId);
      return null;
    }
    this.#inRecords.add(user.deviceId);
    if (user.presence === 'left' || user.presence === 'removed') {
      this.#leftByRecord.add(user.deviceId);
      return this.#roster.leave(user.deviceId, atMs);
    }
    // A change may name a participant without saying whether they are here.
    if (user.presence === null && this.#leftByRecord.has(user.deviceId)) return null;
    this.#leftByRecord.delete(user.deviceId);
    return this.#roster.see(
      {
        id: user.deviceId,
        name: user.name,
        avatarUrl: user.avatarUrl,
        isHost: user.isHost,
        ...(user.isSelf ? { isSelf: true } : {}),
      },
      atMs,
    );
  }

  #ownTileOf(tiles: readonly MeetTile[]): string | null {
    const own = tiles.filter((tile) => tile.isSelf && tile.isScreen !== true);
    const marked = new Set(own.map((tile) => tile.participantId));
    if (marked.size > 1) this.#markSaysNothing = true;
    return this.#markSaysNothing ? null : (own[0]?.participantId ?? null);
  }

  #leaveWithoutTile(tiles: readonly MeetTile[], atMs: number): (ParticipantChange | null)[] {
    if (tiles.length === 0) return [];
    const alone = this.#othersTileSeenMs !== null && atMs - this.#othersTileSeenMs >= aloneMs;
    return this.#roster
      .participants()
      .filter((participant) => participant.present && !participant.isSelf)
      .filter((participant) => {
        const seenMs = this.#tileSeenMs.get(participant.id);
        // Large meetings do not show a tile for every participant, so a missing tile does not end the presence of one
        // in the records.
        const gone = seenMs !== undefined && !this.#inRecords.has(participant.id) && atMs - seenMs >= tileGoneMs;
        return gone || (alone && atMs - participant.appearedAtMs >= aloneMs);
      })
      .map((participant) => this.#roster.leave(participant.id, atMs));
  }
}
