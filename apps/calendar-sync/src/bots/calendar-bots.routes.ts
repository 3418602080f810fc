import { Router } from 'express';
import { addToLog, invalid, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import { calendarPlaceOf } from '../request-input.ts';
import { cancelCalendarBots, changeCalendarBots, scheduleCalendarBots } from './calendar-bots.ts';
import type { BotOutcome, CalendarBotDependencies } from './calendar-bots.ts';
import type { TargetWish } from './target-events.ts';

const root = '/internal/v2/calendars/:calendar_id/bots';
const limitBytes = 1_048_576;

const nilUuid = '00000000-0000-0000-0000-000000000000';

const wishBody = z.looseObject({
  series_id: z
    .uuid()
    .nullable()
    .transform((id) => (id === nilUuid ? null : id)),
  all_occurrences: z.boolean(),
  event_id: z.uuid().nullable().default(null),
});

/** `POST`, `PATCH` and `DELETE /internal/v2/calendars/{calendar_id}/bots`. */
export function calendarBotRoutes(auth: InternalAuth, dependencies: CalendarBotDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes });
  router.post(root, gatewayOnly, readJson, async (request, response) => {
    const outcome = await scheduleCalendarBots(dependencies, calendarPlaceOf(request), readWish(request.body));
    addToLog(request, countsOf(outcome));
    response.status(201).json({ success: true, ...outcome });
  });
  router.patch(root, gatewayOnly, readJson, async (request, response) => {
    const outcome = await changeCalendarBots(dependencies, calendarPlaceOf(request), readWish(request.body));
    response.json({ success: true, ...outcome });
  });
  router.delete(root, gatewayOnly, readJson, async (request, response) => {
    const outcome = await cancelCalendarBots(dependencies, calendarPlaceOf(request), readWish(request.body));
    response.json({ success: true, ...outcome });
  });
  return router;
}

function readWish(body: unknown): TargetWish & { readonly bot: Record<string, unknown> } {
  const { series_id: seriesId, all_occurrences: allOccurrences, event_id: eventId, ...bot } = readInput(wishBody, body);
  if (!allOccurrences && eventId === null)
    throw invalid('event_id', 'It is needed unless all_occurrences is true: which event?');
  if (seriesId === null && eventId === null)
    throw invalid('series_id', 'Without an event_id it is needed: which series?');
  return { seriesId, allOccurrences, eventId, bot };
}

function countsOf({ data, errors }: BotOutcome) {
  return { scheduled: data.length, refused: errors.length };
}
