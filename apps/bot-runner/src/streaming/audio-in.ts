import { z } from 'zod';
import type { MeetingSession } from '@rapporteur/meeting-platforms';
import type { OutboundMessage } from '@rapporteur/outbound-http';
import type { Clock } from '@rapporteur/service-runtime/process';
import type { RepeatedWarnings } from './repeated-warnings.ts';

export interface AudioInPorts {
  readonly session: Pick<MeetingSession, 'playAudio' | 'clearAudio' | 'finishedAudioMs'>;
  readonly rateHz: number;
  /** To the source of the audio. */
  readonly reply: (text: string) => void;
  readonly warnings: RepeatedWarnings;
  readonly clock: Clock;
}

interface Mark {
  readonly name: string;
  /** Sent when this much has been played. */
  readonly atMs: number;
  cleared: boolean;
}

const bytesPerSample = 2;
/** Limit of the audio that waits to be played. */
const mostWaitingMs = 30_000;
const pollIntervalMs = 50;
const mostMarks = 100;
const longestText = 4_096;

const order = z.discriminatedUnion('type', [
  z.object({ type: z.literal('clear') }),
  z.object({ type: z.literal('mark'), name: z.string().max(256) }),
]);

/** Plays incoming audio in the meeting, and reports when it has been played. */
export class AudioIn {
  readonly #ports: AudioInPorts;
  readonly #stopping = new AbortController();
  readonly #marks: Mark[] = [];
  #listening = false;
  #takenMs = 0;
  #pollsAgain = false;

  constructor(ports: AudioInPorts) {
    this.#ports = ports;
  }

  /** The bot is in the call: from now on its audio is audible. */
  listen(): void {
    this.#listening = true;
  }

  take(message: OutboundMessage): void {
    if (typeof message === 'string') this.#apply(message);
    else this.#play(message);
  }

  stop(): void {
    this.#stopping.abort();
  }

  #play(pcm: Buffer): void {
    const { session, rateHz, warnings } = this.#ports;
    if (pcm.length % bytesPerSample !== 0)
      return warnings.add('Audio with half a sample came in and is not played. Send 16 bit samples.');
    if (!this.#listening) return warnings.add('Audio came in before the bot was in the call and is not played.');
    const lastsMs = (pcm.length / bytesPerSample / rateHz) * 1_000;
    if (this.#takenMs - session.finishedAudioMs() + lastsMs > mostWaitingMs)
      return warnings.add('More than 30 s of audio wait to be played; what comes on top of it is left out.');
    this.#takenMs += lastsMs;
    session.playAudio(pcm, rateHz);
  }

  #apply(text: string): void {
    const read = text.length > longestText ? null : order.safeParse(jsonOf(text));
    if (read?.success !== true)
      return this.#ports.warnings.add('A text came in that is neither a clear nor a mark, and is left out.');
    if (read.data.type === 'mark') this.#mark(read.data.name);
    else this.#clear();
  }

  #clear(): void {
    for (const mark of this.#marks) mark.cleared = true;
    this.#ports.session.clearAudio();
    this.#poll();
  }

  #mark(name: string): void {
    if (this.#marks.length >= mostMarks)
      return this.#ports.warnings.add(`More than ${mostMarks} marks wait; what comes on top of them is left out.`);
    this.#marks.push({ name, atMs: this.#takenMs, cleared: false });
    this.#poll();
    if (this.#marks.length > 0 && !this.#pollsAgain) void this.#pollAgain();
  }

  async #pollAgain(): Promise<void> {
    const { signal } = this.#stopping;
    this.#pollsAgain = true;
    while (this.#marks.length > 0 && !signal.aborted) {
      await this.#ports.clock.sleep(pollIntervalMs, signal).catch(() => undefined);
      this.#poll();
    }
    this.#pollsAgain = false;
  }

  /** Marks are confirmed in the order in which they were set. */
  #poll(): void {
    const finishedMs = this.#ports.session.finishedAudioMs();
    for (let [next] = this.#marks; next !== undefined; [next] = this.#marks) {
      const { name, atMs, cleared } = next;
      // Rounded on both sides.
      if (!cleared && finishedMs < atMs - 1) return;
      this.#marks.shift();
      this.#ports.reply(JSON.stringify({ type: 'mark', name, ...(cleared ? { cleared } : {}) }));
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
