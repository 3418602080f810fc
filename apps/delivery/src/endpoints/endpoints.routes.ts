import { webhookEvents } from '@rapporteur/contracts';
import type { Router } from 'express';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { addToLog, invalid, servePublic } from '@rapporteur/service-runtime';
import type { Clock, InternalAuth } from '@rapporteur/service-runtime';
import type { EndpointRow } from '../schema/entities.ts';
import type { EndpointHeaders } from './endpoint-secrets.ts';
import type { Endpoints } from './endpoints.store.ts';

/** Set by the service or by HTTP itself. */
const reservedHeader =
  /^(?:webhook-.*|svix-.*|x-service-.*|proxy-.*|sec-.*|host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|traceparent|tracestate|user-agent)$/i;
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

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

/** Throws VALIDATION for headers that cannot be sent; the contract limits their number, names and lengths. */
function checkHeaders(headers: EndpointHeaders): void {
  const names = Object.keys(headers);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw invalid('headers', 'names a header twice.');
  for (const [name, value] of Object.entries(headers)) {
    if (reservedHeader.test(name)) throw invalid(`headers.${name}`, 'is a header that the service sets itself.');
    if (!headerValue.test(value)) throw invalid(`headers.${name}`, 'must be printable ASCII characters.');
  }
}

/** An endpoint as the API returns it, without its secret. */
function toEndpoint(row: EndpointRow, nowMs: number): Record<string, unknown> {
  const expiresAt = row.previous_secret_expires_at;
  return {
    endpoint_id: row.endpoint_id,
    name: row.name,
    url: row.url,
    events: row.events,
    format: row.format,
    header_names: row.header_names,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_expires_at: expiresAt !== null && expiresAt.getTime() > nowMs ? expiresAt.toISOString() : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
