import { createHash, randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { teamOf } from '@rapporteur/service-runtime';

/**
 * The id of a new bot: random, unless the request carries an Idempotency-Key. Then every attempt derives the same id,
 * and an attempt after the creation finds the bot. `index`: position in a batch.
 */
export function newBotId(request: Request, index = 0): string {
  const requestId = request.headers['x-idempotency-id'];
  if (typeof requestId !== 'string' || requestId === '') return randomUUID();
  const bytes = createHash('sha256')
    .update(JSON.stringify([teamOf(request), requestId, index]))
    .digest();
  // Version 8 of RFC 9562: custom bits.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
