import type { MeetingPerson } from '../platform.ts';
import type { VoiceOwner } from '../speaker-turns.ts';
import type { PlatformSignals, VisitHost } from '../web-client/web-visit.ts';
import { ZoomChat } from './chat-rows.ts';
import type { ZoomPageSnapshot } from './page-state.ts';
import { ZoomPeople } from './people.ts';
import { speechLayers } from './speech-layers.page.ts';
import type { ZoomPost } from './client-door.page.ts';

/** Without a message about people this long, the list of participants is opened to be read. */
const listAfterMs = 3_000;
const tryAgainMs = 20_000;
const mostTries = 5;

/** Zoom's layers: the messages of its worker first, the tiles and lists of the page second. */
export class ZoomSignals implements PlatformSignals<ZoomPageSnapshot> {
  readonly #host: VisitHost<ZoomPageSnapshot>;
  readonly #people: ZoomPeople;
  readonly #chat: ZoomChat;
  readonly #panels = { chat: { tries: 0, atMs: -Infinity }, people: { tries: 0, atMs: -Infinity } };
  #inCallAtMs: number | null = null;

  constructor(host: VisitHost<ZoomPageSnapshot>) {
    this.#host = host;
    this.#people = new ZoomPeople(() => host.botName());
    this.#chat = new ZoomChat((name) => this.#people.named(name));
  }

  get rosterReadAtMs(): number | null {
    return this.#people.readAtMs;
  }

  people(): MeetingPerson[] {
    return this.#people.people();
  }

  ownerOf(...voice: Parameters<ZoomPeople['ownerOf']>): VoiceOwner {
    return this.#people.ownerOf(...voice);
  }

  receive(post: unknown): void {
    if (!isZoomPost(post)) return;
    if (post.kind === 'roster') {
      this.#host.tellPeople(this.#people.applyRoster(post.present, post.gone, post.atMs));
    } else {
      this.#host.tellVoice({ source: post.layer, key: post.key, speaking: post.speaking, atMs: post.atMs });
    }
  }

  seen(snapshot: ZoomPageSnapshot, nowMs: number): void {
    if (this.#inCallAtMs === null) void this.#host.door.tell('setSelf', this.#host.botName());
    this.#inCallAtMs ??= nowMs;
    this.#host.tellPeople(this.#people.applyPage(snapshot.tiles, snapshot.people, nowMs));
    const self = this.people().find(({ isSelf }) => isSelf) ?? null;
    this.#host.tellChat(this.#chat.applyRows(snapshot.chatRows, self, nowMs));
    if (!snapshot.chatOpen) this.#open('chat', nowMs, () => this.#host.openChat());
    const unread = !this.#people.fromMessages && nowMs - this.#inCallAtMs >= listAfterMs;
    if (unread && snapshot.people.length === 0) this.#open('people', nowMs, () => this.#openPeople());
  }

  stop(): void {
    // Nothing goes on by itself.
  }

  async #openPeople(): Promise<void> {
    const { door } = this.#host;
    await door.inTurn(async () => {
      await door.stir();
      await door.press('peopleButton');
    });
  }

  #open(panel: 'chat' | 'people', nowMs: number, open: () => Promise<void>): void {
    const tried = this.#panels[panel];
    if (tried.tries >= mostTries || nowMs - tried.atMs < tryAgainMs) return;
    tried.tries += 1;
    tried.atMs = nowMs;
    void open().catch(() => undefined);
  }
}

function isZoomPost(post: unknown): post is ZoomPost {
  if (typeof post !== 'object' || post === null) return false;
  const given = post as Record<string, unknown>;
  if (typeof given['atMs'] !== 'number') return false;
  if (given['kind'] === 'roster') {
    return isArrayOf(given['present'], isRosterEntry) && isArrayOf(given['gone'], (id) => typeof id === 'string');
  }
  const layered = speechLayers.some((layer) => layer === given['layer']);
  return (
    given['kind'] === 'speech' && layered && typeof given['key'] === 'string' && typeof given['speaking'] === 'boolean'
  );
}

function isRosterEntry(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, name, isHost } = entry as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    (name === null || typeof name === 'string') &&
    (isHost === null || typeof isHost === 'boolean')
  );
}

function isArrayOf(list: unknown, matches: (entry: unknown) => boolean): boolean {
  return Array.isArray(list) && list.every(matches);
}
