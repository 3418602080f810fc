import type { StoryEvent } from './story-event.ts';
import type { Identity, ParticipantList } from './participant-list.ts';
import { unknownName } from './participant-list.ts';

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

/** Every message once, in the order of sending. `mediaMsOf` gives the recording's time of an epoch time. */
export function chatMessages(
  events: readonly StoryEvent[],
  participants: ParticipantList,
  mediaMsOf: (epochMs: number) => number,
): ChatArtifactMessage[] {
  const messages = new Map<string, Extract<StoryEvent, { kind: 'chat' }>>();
  for (const event of events) if (event.kind === 'chat' && !messages.has(event.id)) messages.set(event.id, event);
  return [...messages.values()]
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
