import type { StoryEvent } from './meeting-story.ts';
import type { PeopleList } from './people-list.ts';

/** One entry of the chat_messages artifact. */
export interface ChatArtifactMessage {
  readonly message_id: string;
  readonly sender_name: string;
  /** Number of the sender among the participants; null for the bot itself and for unknown senders. */
  readonly sender_id: number | null;
  readonly text: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** Every message once, in the order of sending. */
export function chatMessages(events: readonly StoryEvent[], people: PeopleList): ChatArtifactMessage[] {
  const messages = new Map<string, Extract<StoryEvent, { kind: 'chat' }>>();
  for (const event of events) if (event.kind === 'chat' && !messages.has(event.id)) messages.set(event.id, event);
  return [...messages.values()]
    .sort((one, other) => one.sentAtMs - other.sentAtMs)
    .map((message) => ({
      message_id: message.id,
      sender_name: message.senderName || people.nameOf(message.senderId) || 'Unknown',
      sender_id: message.own ? null : people.idOf(message.senderId),
      text: message.text,
      timestamp: new Date(message.sentAtMs).toISOString(),
    }));
}
