import type { MeetingPerson, SpeakerSource } from '../platform.ts';
import type { PersonChange } from '../roster.ts';
import type { VoiceOwner } from '../speaker-turns.ts';
import { OwnersTeller } from '../web-client/owners-teller.ts';
import type { PlatformSignals, VisitHost } from '../web-client/web-visit.ts';
import { MeetChat } from './chat-log.ts';
import { decodeCollections, decodeSpaceSync } from './collections.ts';
import type { MeetPost } from './meet.page.ts';
import type { MeetPageSnapshot } from './page-state.ts';
import { MeetPeople } from './people.ts';
import type { SpeechLayer } from './speech-layers.page.ts';

const syncRpc = 'MeetingSpaceService/SyncMeetingSpaceCollections';
const sources: Readonly<Record<SpeechLayer, SpeakerSource>> = {
  sources: 'contributing-sources',
  frames: 'dcrpc',
  tiles: 'tiles',
};

/** Google Meet's layers: its channel and its RPC first, tiles and rows second. */
export class MeetSignals implements PlatformSignals<MeetPageSnapshot> {
  readonly #host: VisitHost<MeetPageSnapshot>;
  readonly #people = new MeetPeople();
  readonly #chat: MeetChat;
  readonly #owners: OwnersTeller<MeetPageSnapshot>;

  constructor(host: VisitHost<MeetPageSnapshot>) {
    this.#host = host;
    this.#owners = new OwnersTeller(host, () => this.#people.streamOwners());
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
    this.#host.tellVoice({ source: sources[post.layer], key: post.key, speaking: post.speaking, atMs: post.atMs });
  }

  seen(snapshot: MeetPageSnapshot, nowMs: number): void {
    this.#tellPeople(this.#people.applyTiles(snapshot.tiles, nowMs));
    this.#host.tellChat(this.#chat.applyRows(snapshot.chatRows, nowMs));
  }

  stop(): void {
    this.#owners.stop();
  }

  #applyCollections(base64: string): void {
    const { clock, log } = this.#host.ports;
    const nowMs = clock.now();
    try {
      const change = decodeCollections(Buffer.from(base64, 'base64'));
      this.#tellPeople(this.#people.applyCollections(change, nowMs));
      this.#host.tellChat(this.#chat.applyRecords(change.chat, nowMs));
      if (change.users.length + change.outputs.length > 0) this.#owners.soon();
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
    if (changes.length > 0) this.#owners.soon();
  }
}

function isMeetPost(post: unknown): post is MeetPost {
  if (typeof post !== 'object' || post === null) return false;
  const given = post as Record<string, unknown>;
  if (typeof given['atMs'] !== 'number') return false;
  if (given['kind'] === 'collections') return typeof given['base64'] === 'string';
  const layered = typeof given['layer'] === 'string' && Object.hasOwn(sources, given['layer']);
  return (
    given['kind'] === 'speech' && layered && typeof given['key'] === 'string' && typeof given['speaking'] === 'boolean'
  );
}
