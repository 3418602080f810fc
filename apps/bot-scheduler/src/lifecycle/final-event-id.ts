import { createHash } from 'node:crypto';

/** Derives the id of a bot's only final event from the bot: the outbox rejects a second one. */
export function finalEventId(botId: string): string {
  const hex = createHash('sha256').update(`bots.v1.ended:${botId}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  // Version 8: custom bits.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
