import type { Request } from 'express';
import type * as z from 'zod';
import { RoomRefused } from '../rooms/room-registry.ts';

/** Reads the body of a control request; `defaults` are for fields that an object leaves out. Throws RoomRefused that names the field. */
export function readControlBody<T>(schema: z.ZodType<T>, request: Request, defaults: object = {}): T {
  const given = (request.body ?? {}) as object;
  const parsed = schema.safeParse(Array.isArray(given) ? given : { ...defaults, ...given });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.') || 'body';
  const reason = unknown === undefined ? issue?.message : 'this field does not exist';
  throw new RoomRefused(`The field ${field} is wrong: ${reason}.`, 400, field);
}
