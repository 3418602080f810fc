import type { MeetingPerson } from '../platform.ts';
import type { PersonChange } from '../roster.ts';
import type { VoiceOwner } from '../speaker-turns.ts';
import type { PlatformSignals, VisitHost } from '../web-client/web-visit.ts';
import { MeetChat } from './chat-log.ts';
import { decodeCollections, decodeSpaceSync } from './collections.ts';
import type { MeetPost } from './meet.page.ts';
import type { MeetPageSnapshot } from './page-state.ts';
import { MeetPeople } from './people.ts';

const syncRpc = 'MeetingSpaceService/SyncMeetingSpaceCollections';
/** Changes that come together are told to the page together. */
const ownersDelayMs = 50;

/** Google Meet's layers: its channel and its RPC first, tiles and rows second. */
export class MeetSignals implements PlatformSignals<MeetPageSnapshot> {
  readonly #host: VisitHost<MeetPageSnapshot>;
  readonly #people = new MeetPeople();
  readonly #chat: MeetChat;
  #ownersTimer: NodeJS.Timeout | undefined;

  constructor(host: VisitHost<MeetPageSnapshot>) {
    this.#host = host;
    this.#chat = new MeetChat((id) => this.#people.find(id));
    host.door.page.on('response', (response) => {
      if (response.url().includes(syncRpc) && response.ok()) void this.#applySync(response.text());
    });
  }

  get rosterReadAtMs(): number | null {
    return this.#people.readAtMs;
  }

  people(): MeetingPerson[] {
    return this.#people.people();
  }

  ownerOf(...voice: Parameters<MeetPeople['ownerOf']>): VoiceOwner {
    return this.#people.ownerOf(...voice);
  }

  receive(post: unknown): void {
    if (!isMeetPost(post)) return;
    if (post.kind === 'collections') return this.#applyCollections(post.base64);
    const source = post.layer === 'sources' ? 'contributing-sources' : 'tiles';
    this.#host.tellVoice({ source, key: post.key, speaking: post.speaking, atMs: post.atMs });
  }

  seen(snapshot: MeetPageSnapshot, nowMs: number): void {
    this.#tellPeople(this.#people.applyTiles(snapshot.tiles, nowMs));
    this.#host.tellChat(this.#chat.applyRows(snapshot.chatRows, nowMs));
  }

  stop(): void {
    clearTimeout(this.#ownersTimer);
  }

  #applyCollections(base64: string): void {
    const { clock, log } = this.#host.ports;
    const nowMs = clock.now();
    try {
      const change = decodeCollections(Buffer.from(base64, 'base64'));
      this.#tellPeople(this.#people.applyCollections(change, nowMs));
      this.#host.tellChat(this.#chat.applyRecords(change.chat, nowMs));
      if (change.users.length + change.outputs.length > 0) this.#tellOwnersSoon();
    } catch (error) {
      log.debug({ err: error }, 'A message of the channel collections could not be read; other layers carry on.');
    }
  }

  async #applySync(body: Promise<string>): Promise<void> {
    const { clock, log } = this.#host.ports;
    try {
      this.#tellPeople(this.#people.applySync(decodeSpaceSync(await body), clock.now()));
    } catch (error) {
      log.debug({ err: error }, "The meeting's list of people could not be read; other layers carry on.");
    }
  }

  #tellPeople(changes: readonly PersonChange[]): void {
    this.#host.tellPeople(changes);
    if (changes.length > 0) this.#tellOwnersSoon();
  }

  #tellOwnersSoon(): void {
    this.#ownersTimer ??= setTimeout(() => {
      this.#ownersTimer = undefined;
      if (!this.#host.stopping.aborted) void this.#host.door.tell('setOwners', this.#people.streamOwners());
    }, ownersDelayMs);
  }
}

function isMeetPost(post: unknown): post is MeetPost {
  if (typeof post !== 'object' || post === null) return false;
  const given = post as Record<string, unknown>;
  if (typeof given['atMs'] !== 'number') return false;
  if (given['kind'] === 'collections') return typeof given['base64'] === 'string';
  const layered = given['layer'] === 'sources' || given['layer'] === 'tiles';
  return (
    given['kind'] === 'speech' && layered && typeof given['key'] === 'string' && typeof given['speaking'] === 'boolean'
  );
}
