import { Router } from 'express';
import { placeOf } from '../schema/bot-id.ts';
import { jsonBody, readInput } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { retranscribe, retranscribeBody } from './retranscribe.ts';
import type { RetranscribeDependencies } from './retranscribe.ts';

/** `POST /internal/v2/bots/{bot_id}/retranscribe`: 200 {success, data: {message}}; 402, 404, 409, 422. */
export function retranscribeRoutes(auth: InternalAuth, dependencies: RetranscribeDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  const readJson = jsonBody({ limitBytes: 1_048_576 });
  router.post('/internal/v2/bots/:bot_id/retranscribe', gatewayOnly, readJson, async (request, response) => {
    await retranscribe(dependencies, placeOf(request), readInput(retranscribeBody, request.body ?? null));
    response.json({ success: true, data: { message: 'The transcription is under way.' } });
  });
  return router;
}
