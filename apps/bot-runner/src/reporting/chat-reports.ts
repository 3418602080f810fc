import type { ChatMessage } from '@rapporteur/meeting-platforms';
import type { Clock } from '@rapporteur/service-runtime/process';
import { senderOf } from '../story/chat-artifact.ts';
import type { MeetingStory } from '../story/meeting-story.ts';
import type { ReportBody } from './reporter.ts';

export interface ChatReportsOptions {
  readonly story: MeetingStory;
  readonly report: (body: ReportBody) => void;
  readonly clock: Clock;
}

/** A message may arrive before its sender is identified. */
const resolveWithinMs = 3_000;
const pollAgainMs = 500;
/** Above the message length of every platform. */
const longestText = 20_000;
const mostHeld = 1_000;

/** Reports chat messages of others, each once and in order, as soon as the sender is identified or cannot be. */
export class ChatReports {
  readonly #options: ChatReportsOptions;
  readonly #held: { readonly message: ChatMessage; readonly atMs: number }[] = [];
  readonly #stopping = new AbortController();
  #polling: Promise<void> | null = null;

  constructor(options: ChatReportsOptions) {
    this.#options = options;
  }

  add(message: ChatMessage, atMs: number): void {
    if (message.own || this.#stopping.signal.aborted || this.#held.length >= mostHeld) return;
    this.#held.push({ message, atMs });
    this.#poll();
    if (this.#held.length > 0) this.#polling ??= this.#pollAgain().finally(() => (this.#polling = null));
  }

  /** Reports the held messages, with or without a sender. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
    this.#poll();
  }

  async #pollAgain(): Promise<void> {
    while (this.#held.length > 0 && !this.#stopping.signal.aborted) {
      await this.#options.clock.sleep(pollAgainMs, this.#stopping.signal).catch(() => undefined);
      this.#poll();
    }
  }

  #poll(): void {
    const { story, report, clock } = this.#options;
    for (let next = this.#held[0]; next !== undefined; next = this.#held[0]) {
      const { message, atMs } = next;
      const sender = senderOf(message, story.participants);
      const waits = sender.id === null && clock.now() - atMs < resolveWithinMs && !this.#stopping.signal.aborted;
      if (waits) return;
      this.#held.shift();
      const text = message.text.slice(0, longestText);
      const times = { sentAt: new Date(message.sentAtMs).toISOString(), at: new Date(atMs).toISOString() };
      report({
        kind: 'chat-message',
        message: { messageId: message.id, senderId: sender.id, senderName: sender.name, text, ...times },
      });
    }
  }
}
