import { createHash, randomBytes } from 'node:crypto';
import type { EventType } from '../event-types.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const length = 26;

/**
 * The same happening has the same id, however often its event is delivered: receivers drop duplicates by it. In the legacy format it
 * is a message of its own.
 * @param occurrence what distinguishes it from the bot's others of the same event: a number or an id.
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
