import { Router } from 'express';
import { z } from 'zod';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { jsonBody, readInput } from '@rapporteur/service-runtime';
import { placeOf } from '../schema/bot-id.ts';
import { resendWebhook, retryCallback } from './redelivery.ts';
import type { RedeliveryDependencies } from './redelivery.ts';

const callbackBody = z
  .strictObject({
    url: z.string(),
    method: z.enum(['POST', 'PUT']).optional(),
    secret: z.string().nullable().optional(),
  })
  .nullish();

/** `POST …/resend-webhook` and `…/retry-callback`: 200 {success, data: {message}}; 404, 409. */
export function redeliveryRoutes(auth: InternalAuth, dependencies: RedeliveryDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.post('/internal/v2/bots/:bot_id/resend-webhook', gatewayOnly, async (request, response) => {
    response.json({ success: true, data: await resendWebhook(dependencies, placeOf(request)) });
  });
  router.post(
    '/internal/v2/bots/:bot_id/retry-callback',
    gatewayOnly,
    jsonBody({ limitBytes: 1_048_576 }),
    async (request, response) => {
      const given = readInput(callbackBody, request.body ?? null);
      response.json({ success: true, data: await retryCallback(dependencies, placeOf(request), given ?? null) });
    },
  );
  return router;
}
