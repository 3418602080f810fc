import { Router } from 'express';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { admitBot } from './admit-bot.ts';
import type { AdmissionParts } from './admit-bot.ts';
import { createBotBody } from './create-bot-body.ts';
import type { CreateBotBody } from './create-bot-body.ts';

const bodyLimitBytes = 1_048_576;

/** `POST /internal/v2/bots`: 201 {success, data: {bot_id}}. */
export function admissionRoutes(auth: InternalAuth, parts: AdmissionParts): Router {
  const router = Router();
  router.post(
    '/internal/v2/bots',
    auth.require(['api-gateway']),
    jsonBody({ limitBytes: bodyLimitBytes }),
    async (request, response) => {
      const teamId = teamOf(request);
      addToLog(request, { teamId });
      const { botId } = await admitBot(parts, teamId, readBody(request.body));
      addToLog(request, { botId });
      response.status(201).json({ success: true, data: { bot_id: botId } });
    },
  );
  return router;
}

function readBody(body: unknown): CreateBotBody {
  const read = createBotBody.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = `/body/${issue?.path.join('/') ?? ''}`;
  throw fail('VALIDATION', { message: `${field}: ${issue?.message ?? 'does not fit'}.`, details: field });
}
