import type { Request } from 'express';
import { addToLog, idOf, teamOf } from '@rapporteur/service-runtime';
import type { CalendarPlace } from './sealing.ts';

export function calendarPlaceOf(request: Request): CalendarPlace {
  const place = { teamId: teamOf(request), calendarId: idOf(request, 'calendar_id', 'CALENDAR_NOT_FOUND') };
  addToLog(request, place);
  return place;
}
