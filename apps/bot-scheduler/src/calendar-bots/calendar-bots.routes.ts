import { Router } from 'express';
import { calendarBotChecksRequest, calendarBotsRequest, internalRoutes } from '@rapporteur/contracts';
import type { CalendarBotResult } from '@rapporteur/contracts';
import { addToLog, jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { applyCalendarBot, checkCalendarBot } from './apply-calendar-bot.ts';
import type { CalendarBotDependencies } from './apply-calendar-bot.ts';

const limitBytes = 16 * 1_048_576;

/** `POST internalRoutes.calendarBots` and `calendarBotChecks`, for calendar-sync. */
export function calendarBotRoutes(auth: InternalAuth, dependencies: CalendarBotDependencies): Router {
  const router = Router();
  const syncOnly = auth.require(['calendar-sync']);
  const readJson = jsonBody({ limitBytes });
  router.post(internalRoutes.calendarBots, syncOnly, readJson, async (request, response) => {
    const { teamId, bots } = readInput(calendarBotsRequest, request.body);
    const results: CalendarBotResult[] = [];
    for (const bot of bots) results.push(await applyCalendarBot(dependencies, teamId, bot));
    addToLog(request, { teamId, outcomes: results.map(({ outcome }) => outcome).join(',') });
    response.json({ results });
  });
  router.post(internalRoutes.calendarBotChecks, syncOnly, readJson, async (request, response) => {
    const { teamId, bodies } = readInput(calendarBotChecksRequest, request.body);
    const errors: CalendarBotResult['error'][] = [];
    for (const body of bodies) errors.push(await checkCalendarBot(dependencies, teamId, body));
    response.json({ errors });
  });
  return router;
}
