import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import type { Failure, FailureCode } from '@rapporteur/failures';
import { z } from 'zod';

/** VALIDATION with a message that begins with the field. */
export function invalid(field: string, sentence: string): Failure {
  return fail('VALIDATION', { message: `${field}: ${sentence}`, details: field });
}

/** Reads a part of a request. Throws VALIDATION that names the field. */
export function readInput<T>(shape: z.ZodType<T>, input: unknown, part = '/body'): T {
  const read = shape.safeParse(input);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid([part, ...(issue?.path ?? [])].join('/'), `${issue?.message ?? 'does not fit'}.`);
}

/** An id of the path, in lower case; text that is not a UUID is not found. */
export function idOf(request: Request, name: string, notFound: FailureCode): string {
  const read = z.uuid().safeParse(request.params[name]);
  if (!read.success) throw fail(notFound);
  return read.data.toLowerCase();
}

/** A whole number of a query, in decimal digits and within bounds. */
export function queryInteger(least: number, most: number) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));
}
