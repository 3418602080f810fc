import { z } from 'zod';
import { fail } from '@rapporteur/failures';
import type { FailureCode } from '@rapporteur/failures';

/** Parses what a request carries; VALIDATION names every field that does not fit, as `body/url`. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, place: 'body' | 'query'): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${[place, ...issue.path].join('/')} ${issue.message}`);
  throw fail('VALIDATION', { message: problems.join('; ') });
}

const uuid = z.uuid();

/** An id from the path; one that is no UUID names nothing, so it is not found either. */
export function uuidParameter(value: unknown, notFound: FailureCode): string {
  const parsed = uuid.safeParse(value);
  if (!parsed.success) throw fail(notFound);
  return parsed.data;
}
