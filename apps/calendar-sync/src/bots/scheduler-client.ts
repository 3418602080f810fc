import { calendarBotChecksReply, calendarBotsReply, internalRoutes } from '@rapporteur/contracts';
import type { CalendarBotResult, CalendarBotsRequest } from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** Client of bot-scheduler. Both calls throw UNAVAILABLE without a valid response. */
export interface SchedulerClient {
  apply(request: CalendarBotsRequest): Promise<readonly CalendarBotResult[]>;
  /** Why no bot can be created from each body; null where one can. */
  check(teamId: string, bodies: readonly Record<string, unknown>[]): Promise<readonly CalendarBotResult['error'][]>;
}

/** Shorter than the claim of a change: nothing is sent again while a request may be in progress. */
export const applyTimeoutMs = 15_000;

export function createSchedulerClient(auth: InternalAuth, baseUrl: string): SchedulerClient {
  const unreachable = 'The service that schedules bots is not reachable right now. Try again in a moment.';
  const sendRequest = createRequestSender({ auth, service: 'bot-scheduler', baseUrl, unreachable });
  return {
    apply: async (body) =>
      (
        await sendRequest({
          path: internalRoutes.calendarBots,
          body,
          reply: calendarBotsReply,
          timeoutMs: applyTimeoutMs,
        })
      ).results,
    check: async (teamId, bodies) => {
      const body = { teamId, bodies };
      const reply = calendarBotChecksReply;
      return (await sendRequest({ path: internalRoutes.calendarBotChecks, body, reply, timeoutMs: applyTimeoutMs }))
        .errors;
    },
  };
}
