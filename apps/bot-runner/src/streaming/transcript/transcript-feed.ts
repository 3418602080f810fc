import type { OutboundMessage } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime/process';
import { z } from 'zod';
import type { RepeatedWarnings } from '../repeated-warnings.ts';

export interface TranscriptFeedDependencies {
  /** False when it is lost. */
  readonly send: (message: OutboundMessage) => boolean;
  /** Given to `send` and not sent yet. */
  readonly waitingBytes: () => number;
  readonly extra: Readonly<Record<string, unknown>> | null;
  readonly clock: Clock;
  readonly warnings: RepeatedWarnings;
}

export type TranscriptEvent = 'session.started' | 'transcript.segment' | 'translation' | 'error';

interface Entry {
  readonly sequence: number;
  readonly text: string;
  /** Null: not sent on any connection. */
  sentAtMs: number | null;
}

const resume = z.object({ type: z.literal('resume'), after: z.int().nonnegative() });
const longestText = 4_096;
/** How long a new connection may take to send its resume position. */
const resumeWaitMs = 1_000;
/** Messages sent this shortly before a connection was lost may not have arrived. */
const unsureMs = 10_000;
const retryMs = 100;
/** Partials are left out while more bytes than this wait: final segments come first. */
const mostWaitingForPartials = 16_384;
const mostEntries = 20_000;
const mostBytes = 16_777_216;

/**
 * Messages of a transcript for one receiver. Numbered messages are kept and delivered in order, across lost
 * connections; partials are sent at once or not at all.
 */
export class TranscriptFeed {
  readonly #dependencies: TranscriptFeedDependencies;
  readonly #stopping = new AbortController();
  #entries: Entry[] = [];
  #bytes = 0;
  #sequence = 0;
  /** Index of the next entry to send. */
  #next = 0;
  #state: 'away' | 'resuming' | 'open' = 'away';
  #lostAtMs = 0;
  #isRetrying = false;

  constructor(dependencies: TranscriptFeedDependencies) {
    this.#dependencies = dependencies;
  }

  /** For the handshake. */
  get nextSequence(): number {
    return this.#sequence + 1;
  }

  /** Sends a message with the next sequence number. */
  add(event: TranscriptEvent, data: object): void {
    this.#sequence += 1;
    const text = this.#write(event, { ...data, sequence: this.#sequence });
    this.#entries.push({ sequence: this.#sequence, text, sentAtMs: null });
    this.#bytes += text.length;
    while (this.#entries.length > mostEntries || this.#bytes > mostBytes) this.#forgetOldest();
    this.#pump();
  }

  partial(event: TranscriptEvent, data: object): void {
    const { send, waitingBytes } = this.#dependencies;
    if (this.#state !== 'open' || this.#next < this.#entries.length) return;
    if (waitingBytes() <= mostWaitingForPartials) send(this.#write(event, { ...data, sequence: null }));
  }

  connected(): void {
    this.#state = 'resuming';
    const unsureFrom = this.#lostAtMs - unsureMs;
    const first = this.#entries.findIndex(({ sentAtMs }) => sentAtMs === null || sentAtMs > unsureFrom);
    this.#next = first === -1 ? this.#entries.length : first;
    if (this.#next < this.#entries.length) void this.#waitForResume();
    else this.#state = 'open';
  }

  lost(): void {
    this.#state = 'away';
    this.#lostAtMs = this.#dependencies.clock.now();
  }

  /** @returns false when the message is not for this feed */
  take(message: OutboundMessage): boolean {
    if (typeof message !== 'string' || message.length > longestText) return false;
    const read = resume.safeParse(jsonOf(message));
    if (!read.success) return false;
    const { after } = read.data;
    const first = this.#entries.findIndex(({ sequence }) => sequence > after);
    this.#next = first === -1 ? this.#entries.length : first;
    this.#state = 'open';
    this.#pump();
    return true;
  }

  /** Whether everything was passed to the receiver's connection. */
  get isSettled(): boolean {
    return this.#next >= this.#entries.length && this.#dependencies.waitingBytes() === 0;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #waitForResume(): Promise<void> {
    const { clock } = this.#dependencies;
    await clock.sleep(resumeWaitMs, this.#stopping.signal).catch(() => undefined);
    if (this.#state !== 'resuming') return;
    this.#state = 'open';
    this.#pump();
  }

  #pump(): void {
    const { send, clock } = this.#dependencies;
    if (this.#state !== 'open') return;
    for (let entry = this.#entries[this.#next]; entry !== undefined; entry = this.#entries[this.#next]) {
      if (!send(entry.text)) return void this.#retry();
      entry.sentAtMs = clock.now();
      this.#next += 1;
    }
  }

  async #retry(): Promise<void> {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    await this.#dependencies.clock.sleep(retryMs, this.#stopping.signal).catch(() => undefined);
    this.#isRetrying = false;
    if (!this.#stopping.signal.aborted) this.#pump();
  }

  #forgetOldest(): void {
    const oldest = this.#entries.shift();
    if (oldest === undefined) return;
    this.#bytes -= oldest.text.length;
    this.#next = Math.max(0, this.#next - 1);
    if (oldest.sentAtMs === null)
      this.#dependencies.warnings.add(
        'The receiver of the transcript was disconnected too long; the oldest segments were dropped.',
      );
  }

  #write(event: TranscriptEvent, data: object): string {
    return JSON.stringify({ event, data, extra: this.#dependencies.extra });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
