import type { StoryEvent } from './story-event.ts';
import type { Identity, ParticipantList } from './participant-list.ts';
import { unknownName } from './participant-list.ts';
import { ShownMessages } from './shown-messages.ts';
import type { AttemptStory } from './speaker-spans.ts';

/** One entry of the chat_messages artifact. */
export interface ChatArtifactMessage {
  readonly message_id: string;
  readonly sender_name: string;
  /** Number of the sender among the participants; null for the bot itself and for unknown senders. */
  readonly sender_id: number | null;
  /** Numbers of the participants with that name, where it is one of several. */
  readonly sender_candidates?: readonly number[];
  readonly text: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Seconds of the recording at which it was written; a message of a pause has the position of the cut. */
  readonly offset_seconds: number;
}

type ChatEvent = Pick<Extract<StoryEvent, { kind: 'chat' }>, 'senderId' | 'senderName' | 'own' | 'sentAtMs'>;

/** The author, under the name that the message shows. */
export function senderOf(message: ChatEvent, participants: ParticipantList): Identity & { readonly name: string } {
  const { senderId, senderName, sentAtMs, own } = message;
  const sender = participants.identify(senderId, senderName || null, sentAtMs);
  const name = senderName || sender.name || unknownName;
  return own ? { name, id: null, candidates: [] } : { ...sender, name };
}

/** A run that is replaced reads the chat until it has left. */
const leavesWithinMs = 10_000;

/**
 * Every message once, in the order of sending, also those that two runs in the meeting have read. `mediaMsOf` gives the
 * recording's time of an epoch time.
 */
export function chatMessages(
  attempts: readonly AttemptStory[],
  participants: ParticipantList,
  mediaMsOf: (epochMs: number) => number,
): ChatArtifactMessage[] {
  const shown = new ShownMessages();
  return attempts
    .flatMap(({ events, endsAtMs }) => {
      const messages = events.filter((event) => event.kind === 'chat').filter((event) => shown.isNew(event));
      const lastMs = messages.reduce((latest, { sentAtMs }) => Math.max(latest, sentAtMs), endsAtMs);
      shown.nextPage(lastMs + leavesWithinMs);
      return messages;
    })
    .sort((one, other) => one.sentAtMs - other.sentAtMs)
    .map((message) => {
      const sender = senderOf(message, participants);
      return {
        message_id: message.id,
        sender_name: sender.name,
        sender_id: sender.id,
        ...(sender.candidates.length > 0 ? { sender_candidates: sender.candidates } : {}),
        text: message.text,
        timestamp: new Date(message.sentAtMs).toISOString(),
        offset_seconds: Math.round(mediaMsOf(message.sentAtMs)) / 1_000,
      };
    });
}
