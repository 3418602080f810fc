import type { MeetingSession, ChatMessage } from '@rapporteur/meeting-platforms';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import { MeetingStory } from '../story/meeting-story.ts';
import { storyEventOf } from '../story/story-of-session.ts';
import { senderOf } from '../story/chat-artifact.ts';
import type { Reporter } from './reporter.ts';
import type { RunContext } from '../run-context.ts';

interface ChatReportsOptions extends Pick<RunContext, 'report' | 'clock'> {
  readonly story: MeetingStory;
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

interface FollowedSession {
  readonly session: Pick<MeetingSession, 'onSignal'>;
  readonly report: Reporter['report'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Events of the meeting, kept for the recording and reported. */
export function followStory({ session, report, clock, logger }: FollowedSession) {
  const story = new MeetingStory();
  const chat = new ChatReports({ story, report, clock });
  session.onSignal((signal) => {
    const event = storyEventOf(signal);
    if (event !== null) story.add(event);
    if (signal.kind === 'chat') chat.add(signal.message, signal.atMs);
    if (signal.kind === 'step')
      logger.info({ step: signal.step, sinceStartMs: Math.round(performance.now()) }, `Meeting page: ${signal.step}.`);
  });
  return { story, chat, participants: startParticipantReports({ story, report, clock }) };
}

interface ParticipantReportsOptions extends Pick<RunContext, 'report' | 'clock'> {
  readonly story: MeetingStory;
  readonly everyMs?: number;
}

/** Reports the participants when they have changed, at most once per interval: participants come in bursts. */
function startParticipantReports({ story, report, clock, everyMs = 5_000 }: ParticipantReportsOptions): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let reported = 0;
  const poll = (): void => {
    const { participants, speakers, revision } = story.participants;
    if (revision === reported || participants.length === 0) return;
    reported = revision;
    report({ kind: 'participants', participants: [...participants], speakers: [...speakers] });
  };
  const looping = (async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(everyMs, stopping.signal).catch(() => undefined);
      if (!stopping.signal.aborted) poll();
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}
