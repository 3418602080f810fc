import { isStorableText } from '@rapporteur/database';
import type { z } from 'zod';
import type { Failure } from '@rapporteur/failures';
import { invalid, memberOf, readInput } from '@rapporteur/service-runtime';

const deepest = 64;

/** PostgreSQL stores neither NUL characters nor lone surrogates; the nesting depth is limited. */
export function findUnstorable(value: unknown, field = '', depth = 0): Failure | null {
  if (typeof value === 'string') return isStorableText(value) ? null : unstorable(field);
  if (typeof value !== 'object' || value === null) return null;
  if (depth === deepest) return invalid(field || 'body', `It is nested deeper than ${deepest} levels.`);
  for (const [name, member] of Object.entries(value)) {
    if (!isStorableText(name)) return unstorable(field);
    const found = findUnstorable(member, memberOf(field, name), depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function unstorable(field: string): Failure {
  return invalid(field || 'body', 'It holds a NUL character or half of a surrogate pair, which no text may hold.');
}

/** Reads a query. Throws VALIDATION that names the field. */
export function readQuery<T>(shape: z.ZodType<T>, query: unknown): T {
  const broken = findUnstorable(query);
  if (broken !== null) throw broken;
  return readInput(shape, query);
}
