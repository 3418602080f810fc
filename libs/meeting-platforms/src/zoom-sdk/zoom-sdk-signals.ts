import type { ChatMessage, MeetingPerson } from '../platform.ts';
import type { VoiceOwner } from '../speaker-turns.ts';
import type { PlatformSignals, VisitHost } from '../web-client/web-visit.ts';
import { ZoomSignals } from '../zoom/zoom-signals.ts';
import type { ZoomSdkSnapshot } from './page-state.ts';
import type { SdkChatPost } from './zoom-sdk.page.ts';

const mostRemembered = 2_000;

/** The web client's layers, and the SDK's own messages of the chat: each message is told once, by whoever has it first. */
export class ZoomSdkSignals implements PlatformSignals<ZoomSdkSnapshot> {
  readonly #host: VisitHost<ZoomSdkSnapshot>;
  readonly #zoom: ZoomSignals;
  /** How often a message was told by one layer and not yet by the other. */
  readonly #ahead = new Map<string, number>();

  constructor(host: VisitHost<ZoomSdkSnapshot>) {
    this.#host = host;
    const told: VisitHost<ZoomSdkSnapshot> = { ...host, tellChat: (messages) => this.#tell(messages, 1) };
    this.#zoom = new ZoomSignals(told);
  }

  get rosterReadAtMs(): number | null {
    return this.#zoom.rosterReadAtMs;
  }

  people(): MeetingPerson[] {
    return this.#zoom.people();
  }

  ownerOf(...voice: Parameters<ZoomSignals['ownerOf']>): VoiceOwner {
    return this.#zoom.ownerOf(...voice);
  }

  receive(post: unknown): void {
    if (!isChatPost(post)) return this.#zoom.receive(post);
    const sender = this.people().find(({ id }) => id === post.senderId) ?? null;
    const { id, senderId, text, sentAtMs } = post;
    const senderName = sender?.name ?? post.senderName;
    // What the bot wrote is believed when the page shows it.
    if (sender?.isSelf === true || senderName === this.#host.botName()) return;
    this.#tell([{ id, senderId, senderName, text, sentAtMs, own: false }], -1);
  }

  seen(snapshot: ZoomSdkSnapshot, nowMs: number): void {
    this.#zoom.seen(snapshot, nowMs);
  }

  stop(): void {
    this.#zoom.stop();
  }

  #tell(messages: readonly ChatMessage[], layer: 1 | -1): void {
    this.#host.tellChat(messages.filter((message) => message.own || this.#isFirst(message, layer)));
  }

  #isFirst({ senderName, text }: ChatMessage, layer: 1 | -1): boolean {
    const key = `${senderName}\n${text.replaceAll(/\s+/g, ' ').trim()}`;
    const ahead = (this.#ahead.get(key) ?? 0) + layer;
    if (ahead === 0) this.#ahead.delete(key);
    else if (this.#ahead.size < mostRemembered || this.#ahead.has(key)) this.#ahead.set(key, ahead);
    return Math.sign(ahead) === layer;
  }
}

function isChatPost(post: unknown): post is SdkChatPost {
  if (typeof post !== 'object' || post === null) return false;
  const { kind, id, senderId, senderName, text, sentAtMs } = post as Record<string, unknown>;
  const strings = [id, senderId, senderName, text].every((value) => typeof value === 'string');
  return kind === 'sdk-chat' && strings && typeof sentAtMs === 'number';
}
