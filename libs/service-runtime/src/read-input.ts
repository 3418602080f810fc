import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import type { Failure, FailureCode } from '@rapporteur/failures';
import { z } from 'zod';

/** The name of a member of a field: `zoom_config.credential_id`, `bot_image[2]`; `field` is empty for a whole body or query. */
export function memberOf(field: string, member: PropertyKey): string {
  const name = String(member);
  if (/^\d+$/.test(name)) return `${field}[${name}]`;
  return field === '' ? name : `${field}.${name}`;
}

/** The name of the field that these members lead to; `body` for none of them. */
export function fieldName(members: readonly PropertyKey[]): string {
  return members.reduce(memberOf, '') || 'body';
}

/** A failure with a message that begins with the field. */
export function invalid(field: string, sentence: string, code: FailureCode = 'VALIDATION'): Failure {
  return fail(code, { message: `${field}: ${sentence}`, details: field });
}

/** Reads a body or a query. Throws VALIDATION that names the field. */
export function readInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const read = shape.safeParse(input);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(fieldName(issue?.path ?? []), `${issue?.message ?? 'does not fit'}.`);
}

/** An id of the path, in lower case; text that is not a UUID is not found. */
export function idOf(request: Request, name: string, notFound: FailureCode): string {
  const read = z.uuid().safeParse(request.params[name]);
  if (!read.success) throw fail(notFound);
  return read.data.toLowerCase();
}
