import { Router } from 'express';
import type { Request } from 'express';
import { z } from 'zod';
import { batchLimitBytes } from '../admission/admission.routes.ts';
import { createInBatch } from '../admission/batch.ts';
import { readBody } from '../admission/create-bot-body.ts';
import { newBotId } from '../admission/new-bot-id.ts';
import { readBotId } from '../details/bot-id.ts';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { readSecret } from '../secrets/bot-secrets.store.ts';
import { cancelScheduled } from './cancel-scheduled.ts';
import { changeScheduled } from './change-scheduled.ts';
import { describeListItem, describeScheduled } from './describe-scheduled.ts';
import { listScheduled } from './list-scheduled.ts';
import { scheduleBot, scheduleBotBody } from './schedule-bot.ts';
import type { ScheduleParts } from './schedule-bot.ts';
import { findScheduled } from './scheduled.store.ts';

export interface ScheduledParts extends ScheduleParts {
  /** Asks a bot that runs to leave. Throws BOT_NOT_FOUND and BOT_STATUS. */
  readonly leave: (botId: string, teamId: string) => Promise<{ message: string }>;
}

const root = '/internal/v2/bots/scheduled';
const bodyLimitBytes = 1_048_576;

/** Everything below `/internal/v2/bots/scheduled`. Must come before routes that take `{bot_id}` in its place. */
export function scheduledRoutes(auth: InternalAuth, parts: ScheduledParts): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes: bodyLimitBytes });
  router.post(root, gatewayOnly, readJson, async (request, response) => {
    const bot_id = await scheduleOne(parts, request, { body: request.body, index: 0 });
    addToLog(request, { botId: bot_id });
    response.status(201).json({ success: true, data: { bot_id } });
  });
  router.post(`${root}/batch`, gatewayOnly, jsonBody({ limitBytes: batchLimitBytes }), async (request, response) => {
    const outcome = await createInBatch(
      request.body,
      (body, index) => scheduleOne(parts, request, { body, index }),
      (failure) => addToLog(request, { err: failure.cause ?? failure }),
    );
    addToLog(request, { created: outcome.data.length, refused: outcome.errors.length });
    response.status(201).json({ success: true, ...outcome });
  });
  router.get(root, gatewayOnly, async (request, response) => {
    const { rows, cursor, prevCursor } = await listScheduled(parts.database, teamOf(request), request.query);
    response.json({ success: true, data: rows.map(describeListItem), cursor, prev_cursor: prevCursor });
  });
  router.get(`${root}/:bot_id`, gatewayOnly, async (request, response) => {
    response.json({ success: true, data: await readOne(parts, placeOf(request)) });
  });
  router.patch(`${root}/:bot_id`, gatewayOnly, readJson, async (request, response) => {
    await changeScheduled(parts, placeOf(request), readBody(z.record(z.string(), z.unknown()), request.body));
    response.json({ success: true, data: { message: 'The scheduled bot was changed.' } });
  });
  router.delete(`${root}/:bot_id`, gatewayOnly, async (request, response) => {
    response.json({ success: true, data: await cancelOne(parts, placeOf(request)) });
  });
  return router;
}

interface Place {
  readonly botId: string;
  readonly teamId: string;
}

function placeOf(request: Request): Place {
  const place = { teamId: teamOf(request), botId: readBotId(request) };
  addToLog(request, place);
  return place;
}

async function scheduleOne(
  parts: ScheduledParts,
  request: Request,
  { body, index }: { readonly body: unknown; readonly index: number },
): Promise<string> {
  const teamId = teamOf(request);
  addToLog(request, { teamId });
  const { botId, anonymousFallback } = await scheduleBot(
    parts,
    { teamId, botId: newBotId(request, index) },
    readBody(scheduleBotBody, body),
  );
  if (anonymousFallback) addToLog(request, { login: 'No meet login is active; the bot will join anonymously.' });
  return botId;
}

async function readOne(parts: ScheduledParts, { botId, teamId }: Place) {
  const row = await findScheduled(parts.database, botId, teamId);
  if (row === null) throw fail('BOT_NOT_FOUND');
  return describeScheduled(row, await readSecret(parts, { botId, teamId }, 'callback_secret'));
}

async function cancelOne(parts: ScheduledParts, { botId, teamId }: Place): Promise<{ message: string }> {
  switch (await cancelScheduled(parts, botId, teamId)) {
    case 'unknown':
      throw fail('BOT_NOT_FOUND');
    case 'running':
      return parts.leave(botId, teamId);
    case 'cancelled':
      return { message: 'The scheduled bot was cancelled.' };
  }
}
