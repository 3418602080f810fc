import type { z } from 'zod';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';

/** Reads a body, or another part of a request. Throws VALIDATION that names the field. */
export function readBody<T>(shape: z.ZodType<T>, body: unknown, part = '/body'): T {
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = [part, ...(issue?.path ?? [])].join('/');
  throw invalid(field, `${issue?.message ?? 'does not fit'}.`);
}

/** VALIDATION in words, with the field first. */
export function invalid(field: string, sentence: string) {
  return fail('VALIDATION', { message: `${field}: ${sentence}`, details: field });
}

const deepest = 64;

/** PostgreSQL stores neither the NUL character nor half a surrogate pair, and nesting has to end somewhere. */
export function findUnstorable(value: unknown, field: string, depth = 0): Failure | null {
  if (typeof value === 'string') return storable(value) ? null : unstorable(field);
  if (typeof value !== 'object' || value === null) return null;
  if (depth === deepest) return invalid(field, `It is nested deeper than ${deepest} levels.`);
  for (const [name, member] of Object.entries(value)) {
    if (!storable(name)) return unstorable(field);
    const found = findUnstorable(member, `${field}/${name}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function storable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function unstorable(field: string): Failure {
  return invalid(field, 'It holds a NUL character or half of a surrogate pair, which no text may hold.');
}

/** Reads a query. Throws VALIDATION that names the field. */
export function readQuery<T>(shape: z.ZodType<T>, query: unknown): T {
  const broken = findUnstorable(query, '/query');
  if (broken !== null) throw broken;
  return readBody(shape, query, '/query');
}
