import type { ChatMessage } from '../platform.ts';

/** Far more than are in progress at once. */
const mostRemembered = 200;

export interface OutgoingMessage {
  /** True once the page has shown the message as one of the bot's own. */
  readonly shown: boolean;
}

/**
 * The messages that the bot sends. A message counts as sent when the page shows it; until a layer identifies the bot,
 * its messages must not be attributed to another participant.
 */
export class OwnMessages {
  readonly #outgoing: { readonly text: string; shown: boolean }[] = [];

  /** Call before the text is sent. */
  expect(text: string): OutgoingMessage {
    const outgoing = { text: plain(text), shown: false };
    this.#outgoing.push(outgoing);
    if (this.#outgoing.length > mostRemembered) this.#outgoing.shift();
    return outgoing;
  }

  /** Removes a message that was expected and not sent. */
  withdraw(message: OutgoingMessage): void {
    const index = this.#outgoing.findIndex((outgoing) => outgoing === message);
    if (index !== -1) this.#outgoing.splice(index, 1);
  }

  /** The message with `own` set: by the page, or because no other participant can have written it. */
  recognize(message: ChatMessage, isKnownParticipant: (participantId: string) => boolean): ChatMessage {
    const words = plain(message.text);
    const waiting = this.#outgoing.find(({ text, shown }) => !shown && text === words);
    const attributed = message.senderName !== '' || (message.senderId !== null && isKnownParticipant(message.senderId));
    const own = message.own || (waiting !== undefined && !attributed);
    if (own && waiting !== undefined) waiting.shown = true;
    return own === message.own ? message : { ...message, own };
  }
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
