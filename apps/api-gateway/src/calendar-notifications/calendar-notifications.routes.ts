import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { fail } from '@rapporteur/failures';
import { jsonBody, requestIdOf } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { Owners } from '../forwarding/owners.ts';

const limitBytes = 256 * 1_024;
const longestToken = 2_048;
const channelId = z.uuid();
const handshake = z.object({ data: z.object({ validation_token: z.string().nullable() }) });

/**
 * `POST /v2/calendar-notifications/{channel_id}`: receives change notifications of calendar providers. It takes no API
 * key: calendar-sync authenticates the provider by the channel's token. Responds with 202 once the change is stored;
 * Microsoft's validation request gets its token back as plain text.
 */
export function calendarNotificationRoutes(owners: Pick<Owners, 'sendRequest'>): Router {
  const router = Router();
  const readJson = jsonBody({ limitBytes });
  // Google sends no body and no content type; Microsoft's validation sends text.
  const readBody: RequestHandler = (request, response, next) =>
    request.is('application/json') === false ? next() : readJson(request, response, next);
  router.post('/v2/calendar-notifications/:channel_id', readBody, async (request, response) => {
    const id = channelId.safeParse(request.params['channel_id']);
    if (!id.success) throw fail('NOT_FOUND');
    const { status, text } = await owners.sendRequest({
      owner: 'calendar-sync',
      method: 'POST',
      path: `/v1/calendar-notifications/${id.data}`,
      body: passedOn(request),
      requestId: requestIdOf(request),
    });
    if (status >= 300) throw fail(status === 404 ? 'NOT_FOUND' : 'UNAVAILABLE');
    const token = handshake.parse(JSON.parse(text)).data.validation_token;
    if (token === null) response.status(202).end();
    else response.status(200).set('x-content-type-options', 'nosniff').type('text/plain').send(token);
  });
  return router;
}

function passedOn(request: Request) {
  const validation = request.query['validationToken'];
  const token = request.get('x-goog-channel-token');
  if (validation !== undefined && (typeof validation !== 'string' || validation.length > longestToken))
    throw fail('NOT_FOUND');
  return {
    validation_token: validation ?? null,
    channel_token: token === undefined ? null : token.slice(0, 512),
    body: (request.body ?? null) as unknown,
  };
}
