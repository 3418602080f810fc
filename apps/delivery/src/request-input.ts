import { z } from 'zod';
import { fail } from '@rapporteur/failures';
import type { FailureCode } from '@rapporteur/failures';

/** Parses the input of a request; throws VALIDATION with every invalid field, as `body/url`. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, place: 'body' | 'query'): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${[place, ...issue.path].join('/')} ${issue.message}`);
  throw fail('VALIDATION', { message: problems.join('; ') });
}

const uuid = z.uuid();

/** An id of the path; text that is not a UUID is not found. */
export function uuidParameter(value: unknown, notFound: FailureCode): string {
  const parsed = uuid.safeParse(value);
  if (!parsed.success) throw fail(notFound);
  return parsed.data;
}
