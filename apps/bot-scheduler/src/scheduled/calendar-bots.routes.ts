import { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { CalendarBotResult } from '@rapporteur/contracts';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { applyCalendarBot, checkCalendarBot } from './apply-calendar-bot.ts';
import type { CalendarBotDependencies } from './apply-calendar-bot.ts';

/** `internalCalls.calendarBots`. */
export function calendarBotRoutes(auth: InternalAuth, dependencies: CalendarBotDependencies): Router {
  const { apply, check } = internalCalls.calendarBots;
  return Router().use(
    serveCall(auth, apply, async ({ teamId, bots }, request) => {
      const results: CalendarBotResult[] = [];
      for (const bot of bots) results.push(await applyCalendarBot(dependencies, teamId, bot));
      addToLog(request, { outcomes: results.map(({ outcome }) => outcome).join(',') });
      return { results };
    }),
    serveCall(auth, check, async ({ teamId, bodies }) => {
      const errors: CalendarBotResult['error'][] = [];
      for (const body of bodies) errors.push(await checkCalendarBot(dependencies, teamId, body));
      return { errors };
    }),
  );
}
