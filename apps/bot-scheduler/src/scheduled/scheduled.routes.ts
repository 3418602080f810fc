import type { Router } from 'express';
import { fail } from '@rapporteur/failures';
import { servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { creationHandlers } from '../admission/creation.routes.ts';
import { botPlaceOf } from '../schema/context.ts';
import type { BotPlace } from '../schema/context.ts';
import { readSecret } from '../credentials/bot-secrets.store.ts';
import { cancelScheduled, changeScheduled } from './change-scheduled.ts';
import { describeListItem, describeScheduled, listScheduled } from './list-scheduled.ts';
import { scheduleBot, scheduleBotBody } from './schedule-bot.ts';
import type { ScheduleDependencies } from './schedule-bot.ts';
import { findScheduled } from './scheduled.store.ts';

export interface ScheduledDependencies extends ScheduleDependencies {
  /** Makes a running bot leave. Throws BOT_NOT_FOUND and BOT_STATUS. */
  readonly leave: (botId: string, teamId: string) => Promise<{ message: string }>;
}

/** The API of scheduled bots. */
export function scheduledRoutes(auth: InternalAuth, dependencies: ScheduledDependencies): Router {
  const { one, batch } = creationHandlers({
    body: scheduleBotBody,
    create: (place, body) => scheduleBot(dependencies, place, body),
    withoutLogin: 'No meet login is active; the bot will join anonymously.',
  });
  return servePublic(auth, {
    scheduleBot: one,
    scheduleBots: batch,
    listScheduledBots: async ({ teamId, query }) => {
      const { rows, cursor, prevCursor, total } = await listScheduled(dependencies.database, teamId, query);
      return { data: rows.map(describeListItem), cursor, prev_cursor: prevCursor, total };
    },
    getScheduledBot: async (call) => ({ data: await readOne(dependencies, botPlaceOf(call)) }),
    updateScheduledBot: async ({ body, ...call }) => {
      await changeScheduled(dependencies, botPlaceOf(call), body);
      return { data: { message: 'The scheduled bot was changed.' } };
    },
    deleteScheduledBot: async (call) => ({ data: await cancelOne(dependencies, botPlaceOf(call)) }),
  });
}

async function readOne(dependencies: ScheduledDependencies, { botId, teamId }: BotPlace) {
  const row = await findScheduled(dependencies.database, botId, teamId);
  if (row === null) throw fail('BOT_NOT_FOUND');
  return describeScheduled(row, await readSecret(dependencies, { botId, teamId }, 'callback_secret'));
}

async function cancelOne(
  dependencies: ScheduledDependencies,
  { botId, teamId }: BotPlace,
): Promise<{ message: string }> {
  switch (await cancelScheduled(dependencies, botId, teamId)) {
    case 'unknown':
      throw fail('BOT_NOT_FOUND');
    case 'running':
      return dependencies.leave(botId, teamId);
    case 'cancelled':
      return { message: 'The scheduled bot was cancelled.' };
  }
}
