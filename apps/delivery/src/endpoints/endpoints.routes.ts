import { webhookEvents } from '@rapporteur/contracts';
import { Router } from 'express';
import type { Request } from 'express';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { addToLog, idOf, jsonBody, readInput, teamOf } from '@rapporteur/service-runtime';
import type { Clock } from '@rapporteur/service-runtime';
import { createEndpointBody, toEndpoint, updateEndpointBody } from './endpoint-shape.ts';
import type { Endpoints } from './endpoints.store.ts';

export interface EndpointRoutesDependencies {
  readonly endpoints: Endpoints;
  readonly outbound: Pick<OutboundHttp, 'checkUrl'>;
  readonly clock: Clock;
  /** Stores a test message for an endpoint of this team and returns its id. */
  readonly sendTest: (teamId: string, endpointId: string) => Promise<string>;
  /** Called after a change that may have made deliveries due. */
  readonly onDue: () => void;
}

const bodyLimitBytes = 64 * 1024;

/** The API of webhook endpoints, below `/internal/v2/webhooks`. */
export function endpointRoutes({ endpoints, outbound, clock, sendTest, onDue }: EndpointRoutesDependencies): Router {
  const router = Router();
  const body = jsonBody({ limitBytes: bodyLimitBytes });

  router.get('/event-types', (_request, response) => {
    const data = Object.entries(webhookEvents).map(([event, { description, legacy }]) => ({
      event,
      description: legacy ? description : `${description} Not sent in the legacy format.`,
    }));
    response.json({ success: true, data });
  });

  router
    .route('/endpoints')
    .post(body, async (request, response) => {
      const wanted = readInput(createEndpointBody, request.body);
      outbound.checkUrl(wanted.url);
      const { endpoint, secret } = await endpoints.create(teamOf(request), wanted);
      addToLog(request, { teamId: endpoint.team_id, endpointId: endpoint.endpoint_id });
      response.status(201).json({ success: true, data: { ...toEndpoint(endpoint, clock.now()), secret } });
    })
    .get(async (request, response) => {
      const found = await endpoints.list(teamOf(request));
      response.json({ success: true, data: found.map((endpoint) => toEndpoint(endpoint, clock.now())) });
    });

  router
    .route('/endpoints/:endpointId')
    .get(async (request, response) => {
      const endpoint = await endpoints.get(teamOf(request), endpointIdOf(request));
      response.json({ success: true, data: toEndpoint(endpoint, clock.now()) });
    })
    .patch(body, async (request, response) => {
      const change = readInput(updateEndpointBody, request.body);
      const endpointId = endpointIdOf(request);
      if (change.url !== undefined) outbound.checkUrl(change.url);
      const endpoint = await endpoints.update(teamOf(request), endpointId, change);
      if (change.enabled === true) onDue();
      response.json({ success: true, data: toEndpoint(endpoint, clock.now()) });
    })
    .delete(async (request, response) => {
      await endpoints.remove(teamOf(request), endpointIdOf(request));
      response.json({ success: true, data: { message: 'The endpoint is deleted, with its messages.' } });
    });

  router.post('/endpoints/:endpointId/rotate-secret', async (request, response) => {
    const { endpoint, secret } = await endpoints.rotateSecret(teamOf(request), endpointIdOf(request));
    response.json({ success: true, data: { ...toEndpoint(endpoint, clock.now()), secret } });
  });

  router.post('/endpoints/:endpointId/test', async (request, response) => {
    const messageId = await sendTest(teamOf(request), endpointIdOf(request));
    onDue();
    response.json({ success: true, data: { message_id: messageId } });
  });

  return router;
}

function endpointIdOf(request: Request): string {
  return idOf(request, 'endpointId', 'WEBHOOK_ENDPOINT_NOT_FOUND');
}
