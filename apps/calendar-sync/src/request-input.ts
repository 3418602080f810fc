import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import type { FailureCode } from '@rapporteur/failures';
import { addToLog, teamOf } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { CalendarPlace } from './sealing.ts';

/** VALIDATION in words, with the field first. */
export function invalid(field: string, sentence: string) {
  return fail('VALIDATION', { message: `${field}: ${sentence}`, details: field });
}

/** Reads a part of a request. Throws VALIDATION that names the field. */
export function readInput<T>(shape: z.ZodType<T>, input: unknown, part: 'body' | 'query' = 'body'): T {
  const read = shape.safeParse(input);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid([`/${part}`, ...(issue?.path ?? [])].join('/'), `${issue?.message ?? 'does not fit'}.`);
}

const uuid = z.uuid();

/** An id of the path; one that is no UUID names nothing. */
export function idOf(request: Request, name: string, code: FailureCode): string {
  const read = uuid.safeParse(request.params[name]);
  if (!read.success) throw fail(code);
  return read.data;
}

export function calendarPlaceOf(request: Request): CalendarPlace {
  const place = { teamId: teamOf(request), calendarId: idOf(request, 'calendar_id', 'CALENDAR_NOT_FOUND') };
  addToLog(request, place);
  return place;
}
