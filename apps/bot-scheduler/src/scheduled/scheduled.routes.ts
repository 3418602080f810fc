import { Router } from 'express';
import { z } from 'zod';
import { fail } from '@rapporteur/failures';
import { jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { bodyLimitBytes, creationRoutes } from '../admission/creation.routes.ts';
import { placeOf } from '../schema/read-request.ts';
import type { BotPlace } from '../schema/read-request.ts';
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

const root = '/internal/v2/bots/scheduled';

/** All routes below `/internal/v2/bots/scheduled`. Must precede routes with `{bot_id}` in its place. */
export function scheduledRoutes(auth: InternalAuth, dependencies: ScheduledDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes: bodyLimitBytes });
  router.use(
    creationRoutes(auth, {
      root,
      body: scheduleBotBody,
      create: (place, body) => scheduleBot(dependencies, place, body),
      withoutLogin: 'No meet login is active; the bot will join anonymously.',
    }),
  );
  router.get(root, gatewayOnly, async (request, response) => {
    const page = await listScheduled(dependencies.database, teamOf(request), request.query);
    const { rows, cursor, prevCursor, total } = page;
    response.json({ success: true, data: rows.map(describeListItem), cursor, prev_cursor: prevCursor, total });
  });
  router.get(`${root}/:bot_id`, gatewayOnly, async (request, response) => {
    response.json({ success: true, data: await readOne(dependencies, placeOf(request)) });
  });
  router.patch(`${root}/:bot_id`, gatewayOnly, readJson, async (request, response) => {
    await changeScheduled(dependencies, placeOf(request), readInput(z.record(z.string(), z.unknown()), request.body));
    response.json({ success: true, data: { message: 'The scheduled bot was changed.' } });
  });
  router.delete(`${root}/:bot_id`, gatewayOnly, async (request, response) => {
    response.json({ success: true, data: await cancelOne(dependencies, placeOf(request)) });
  });
  return router;
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
