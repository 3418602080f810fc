import { createHash } from 'node:crypto';

/** The id of a bot's one final event is a function of the bot: a second one cannot get into the outbox. */
export function finalEventId(botId: string): string {
  const hex = createHash('sha256').update(`bots.v1.ended:${botId}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  // Version 8: an id whose bits have a meaning of our own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
