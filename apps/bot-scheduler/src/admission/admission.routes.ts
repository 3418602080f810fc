import { Router } from 'express';
import type { Request } from 'express';
import { addToLog, jsonBody, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { admitBot } from './admit-bot.ts';
import type { AdmissionParts } from './admit-bot.ts';
import { createInBatch } from './batch.ts';
import { createBotBody, readBody } from './create-bot-body.ts';
import { newBotId } from './new-bot-id.ts';

const bodyLimitBytes = 1_048_576;
/** 5 MiB at the edge, and room for what the gateway adds to every item. */
export const batchLimitBytes = 8 * 1_048_576;

/** `POST /internal/v2/bots`: 201 {success, data: {bot_id}}. `…/batch`: 201 {success, data, errors}. */
export function admissionRoutes(auth: InternalAuth, parts: AdmissionParts): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.post('/internal/v2/bots', gatewayOnly, jsonBody({ limitBytes: bodyLimitBytes }), async (request, response) => {
    const bot_id = await createOne(parts, request, { body: request.body, index: 0 });
    addToLog(request, { botId: bot_id });
    response.status(201).json({ success: true, data: { bot_id } });
  });
  router.post(
    '/internal/v2/bots/batch',
    gatewayOnly,
    jsonBody({ limitBytes: batchLimitBytes }),
    async (request, response) => {
      const outcome = await createInBatch(
        request.body,
        (body, index) => createOne(parts, request, { body, index }),
        (failure) => addToLog(request, { err: failure.cause ?? failure }),
      );
      addToLog(request, { created: outcome.data.length, refused: outcome.errors.length });
      response.status(201).json({ success: true, ...outcome });
    },
  );
  return router;
}

async function createOne(
  parts: AdmissionParts,
  request: Request,
  { body, index }: { readonly body: unknown; readonly index: number },
): Promise<string> {
  const teamId = teamOf(request);
  addToLog(request, { teamId });
  const { botId, anonymousFallback } = await admitBot(
    parts,
    { teamId, botId: newBotId(request, index) },
    readBody(createBotBody, body),
  );
  if (anonymousFallback) addToLog(request, { login: 'No meet login is active; the bot joins anonymously.' });
  return botId;
}
