import type { ChatMessage } from '../platform.ts';
import type { PlatformSignals, SessionHost } from '../web-client/web-session.ts';
import type { ZoomRoster } from '../zoom/participants.ts';
import { ZoomSignals } from '../zoom/zoom-signals.ts';
import type { ZoomSdkSnapshot } from './page-state.ts';
import type { SdkChatPost } from './zoom-sdk.page.ts';

const mostRemembered = 2_000;

/**
 * The web client's layers, and the SDK's own chat messages: each message is reported once, from the first layer that
 * has it.
 */
export class ZoomSdkSignals implements PlatformSignals<ZoomSdkSnapshot> {
  readonly #host: SessionHost<ZoomSdkSnapshot>;
  readonly #zoom: ZoomSignals;
  readonly roster: ZoomRoster;
  /** How often one layer has delivered a message that the other has not. */
  readonly #ahead = new Map<string, number>();

  constructor(host: SessionHost<ZoomSdkSnapshot>) {
    this.#host = host;
    const reported: SessionHost<ZoomSdkSnapshot> = { ...host, reportChat: (messages) => this.#notify(messages, 1) };
    this.#zoom = new ZoomSignals(reported);
    this.roster = this.#zoom.roster;
  }

  receive(post: unknown): void {
    if (!isChatPost(post)) return this.#zoom.receive(post);
    const sender = this.roster.find(post.senderId);
    const { id, senderId, text, sentAtMs } = post;
    const senderName = sender?.name ?? post.senderName;
    // The bot's own message counts when the page shows it.
    if (sender?.isSelf === true || senderName === this.#host.botName()) return;
    this.#notify([{ id, senderId, senderName, text, sentAtMs, own: false }], -1);
  }

  seen(snapshot: ZoomSdkSnapshot, nowMs: number): void {
    this.#zoom.seen(snapshot, nowMs);
  }

  stop(): void {
    this.#zoom.stop();
  }

  #notify(messages: readonly ChatMessage[], layer: 1 | -1): void {
    this.#host.reportChat(messages.filter((message) => message.own || this.#isFirst(message, layer)));
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
