import type { MeetingParticipant, SpeakerSource } from '../platform.ts';
import { changesIn, idByName, placed, Roster } from '../roster.ts';
import type { ParticipantChange } from '../roster.ts';
import type { SpeechOwner } from '../speaker-turns.ts';
import type { ZoomListedParticipant, ZoomTile } from './page-state.ts';
import type { RosterEntry } from './signalling.page.ts';

/** Names may vanish while the page changes its layout. */
const goneMs = 3_000;

/** The participants of a Zoom call: from the messages of its worker, else by the names on the page. */
export class ZoomRoster {
  readonly #botName: () => string;
  readonly #roster = new Roster();
  readonly #seenMs = new Map<string, number>();
  #fromMessages = false;
  #selfId: string | null = null;
  #readAtMs: number | null = null;

  constructor(botName: () => string) {
    this.#botName = botName;
  }

  get readAtMs(): number | null {
    return this.#readAtMs;
  }

  get self(): MeetingParticipant | null {
    return this.#roster.participants().findLast(({ isSelf, present }) => isSelf && present) ?? null;
  }

  /** The client's messages have delivered the participants. */
  get fromMessages(): boolean {
    return this.#fromMessages;
  }

  participants(): MeetingParticipant[] {
    return this.#roster.participants();
  }

  find(id: string): MeetingParticipant | null {
    return this.#roster.find(id);
  }

  /** The only current participant of this name; null when there are more, or none. */
  named(name: string): MeetingParticipant | null {
    const [participant, another] = this.#roster.named(name);
    return another === undefined ? (participant ?? null) : null;
  }

  /**
   * The bot's own id, according to the server. Whatever its name is or becomes, this participant is the bot. With another
   * id than before it is in another room, whose participants the next message names.
   */
  applySelf(id: string, atMs: number): ParticipantChange[] {
    const moved = this.#fromMessages && this.#selfId !== null && this.#selfId !== id;
    const before = moved ? this.#roster.participants().map((one) => this.#roster.leave(one.id, atMs)) : [];
    this.#selfId = id;
    const self = moved || this.#roster.find(id) === null ? null : this.#roster.see({ id, isSelf: true }, atMs);
    return changesIn([...before, self]);
  }

  /** The messages are changes only: while any arrive, what they have reported is up to date. */
  confirm(atMs: number): void {
    if (this.#fromMessages) this.#readAtMs = Math.max(this.#readAtMs ?? atMs, atMs);
  }

  applyRoster(present: readonly RosterEntry[], gone: readonly string[], atMs: number): ParticipantChange[] {
    this.#readAtMs = atMs;
    const replaced = this.#fromMessages
      ? []
      : this.#roster.participants().map(({ id }) => this.#roster.leave(id, atMs));
    this.#fromMessages = true;
    this.#recognizeSelf(present);
    const seen = present.map(({ id, name, isHost }) =>
      this.#roster.see(
        { id, name, ...(isHost === null ? {} : { isHost }), ...(id === this.#selfId ? { isSelf: true } : {}) },
        atMs,
      ),
    );
    return changesIn([...replaced, ...seen, ...gone.map((id) => this.#roster.leave(id, atMs))]);
  }

  /** The page while it shows the call. */
  applyPage(tiles: readonly ZoomTile[], listed: readonly ZoomListedParticipant[], atMs: number): ParticipantChange[] {
    if (tiles.length + listed.length > 0) this.#readAtMs = atMs;
    if (this.#fromMessages) return [];
    const onTiles = tiles.filter(({ name }) => name !== '').map(({ name }) => ({ name, isSelf: false }));
    const seen = [...placed(listed), ...placed(onTiles)].map(({ place, ...participant }) => {
      const id = idByName('name', participant.name, place);
      this.#seenMs.set(id, atMs);
      const isSelf = participant.isSelf || (participant.name === this.#botName() && place === 1);
      const host = 'isHost' in participant ? { isHost: participant.isHost } : {};
      return this.#roster.see({ id, name: participant.name, ...host, ...(isSelf ? { isSelf } : {}) }, atMs);
    });
    const left = this.#roster
      .participants()
      .filter(({ id, present, isSelf }) => present && !isSelf && atMs - (this.#seenMs.get(id) ?? atMs) >= goneMs)
      .map(({ id }) => this.#roster.leave(id, atMs));
    return changesIn([...seen, ...left]);
  }

  ownerOf(_source: SpeakerSource, key: string): SpeechOwner {
    const name = key.startsWith('name:') ? key.slice('name:'.length) : null;
    const participant = name === null ? this.#roster.find(key) : this.named(name);
    return {
      participantId: participant?.id ?? null,
      name: participant?.name ?? name,
      isSelf: participant?.isSelf ?? false,
    };
  }

  /** Where no message has named the bot's id: ids grow, so it is the latest of those with its name. */
  #recognizeSelf(present: readonly RosterEntry[]): void {
    if (this.#selfId !== null) return;
    const own = present.filter(({ name }) => name !== null && name === this.#botName()).map(({ id }) => Number(id));
    if (own.length > 0) this.#selfId = String(Math.max(...own));
  }
}
