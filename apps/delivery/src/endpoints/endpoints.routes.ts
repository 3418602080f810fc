import { webhookEvents } from '@rapporteur/contracts';
import type { Router } from 'express';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { addToLog, servePublic } from '@rapporteur/service-runtime';
import type { Clock, InternalAuth } from '@rapporteur/service-runtime';
import type { EndpointRow } from '../schema/entities.ts';
import { checkHeaders, toEndpoint } from './endpoint-shape.ts';
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

/** The API of webhook endpoints. */
export function endpointRoutes(
  auth: InternalAuth,
  { endpoints, outbound, clock, sendTest, onDue }: EndpointRoutesDependencies,
): Router {
  const describe = (endpoint: EndpointRow) => toEndpoint(endpoint, clock.now());
  return servePublic(auth, {
    listWebhookEventTypes: () => {
      const data = Object.entries(webhookEvents).map(([event, { description, legacy }]) => ({
        event,
        description: legacy ? description : `${description} Not sent in the legacy format.`,
      }));
      return { data };
    },
    createWebhookEndpoint: async ({ teamId, body, request }) => {
      checkHeaders(body.headers ?? {});
      outbound.checkUrl(body.url);
      const { endpoint, secret } = await endpoints.create(teamId, body);
      addToLog(request, { endpointId: endpoint.endpoint_id });
      return { data: { ...describe(endpoint), secret } };
    },
    listWebhookEndpoints: async ({ teamId }) => ({ data: (await endpoints.list(teamId)).map(describe) }),
    getWebhookEndpoint: async ({ teamId, params }) => ({
      data: describe(await endpoints.get(teamId, params.endpoint_id)),
    }),
    updateWebhookEndpoint: async ({ teamId, params, body }) => {
      checkHeaders(body.headers ?? {});
      if (body.url !== undefined) outbound.checkUrl(body.url);
      const endpoint = await endpoints.update(teamId, params.endpoint_id, body);
      if (body.enabled === true) onDue();
      return { data: describe(endpoint) };
    },
    deleteWebhookEndpoint: async ({ teamId, params }) => {
      await endpoints.remove(teamId, params.endpoint_id);
      return { data: { message: 'The endpoint is deleted, with its messages.' } };
    },
    rotateWebhookSecret: async ({ teamId, params }) => {
      const { endpoint, secret } = await endpoints.rotateSecret(teamId, params.endpoint_id);
      return { data: { ...describe(endpoint), secret } };
    },
    testWebhookEndpoint: async ({ teamId, params }) => {
      const messageId = await sendTest(teamId, params.endpoint_id);
      onDue();
      return { data: { message_id: messageId } };
    },
  });
}
