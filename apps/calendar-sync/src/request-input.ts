import type { Request } from 'express';
import { fail } from '@rapporteur/failures';
import type { FailureCode } from '@rapporteur/failures';
import { addToLog, teamOf } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { CalendarPlace } from './sealing.ts';

const uuid = z.uuid();

/** An id of the path; text that is not a UUID is not found. */
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
