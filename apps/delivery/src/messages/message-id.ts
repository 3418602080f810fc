import { createHash, randomBytes } from 'node:crypto';
import type { EventType } from '../event-types.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const length = 26;

/**
 * Derives a message id from the event, so that every redelivery has the same one: receivers drop duplicates by it. The
 * legacy format is a separate message.
 * @param occurrence distinguishes the bot's events of the same type: a number or an id
 */
export function messageIdOf(
  botId: string,
  event: EventType | `legacy/${EventType}`,
  occurrence: number | string,
): string {
  return `msg_${encode(createHash('sha256').update(`${botId}/${event}/${occurrence}`).digest())}`;
}

export function randomMessageId(): string {
  return `msg_${encode(randomBytes(32))}`;
}

function encode(bytes: Buffer): string {
  return [...bytes.subarray(0, length)].map((byte) => alphabet[byte & 31]).join('');
}
