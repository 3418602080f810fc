import { invalid } from '@rapporteur/service-runtime';
import type { EndpointRow } from '../schema/entities.ts';
import type { EndpointHeaders } from './endpoint-secrets.ts';

/** Set by the service or by HTTP itself. */
const reservedHeader =
  /^(?:webhook-.*|svix-.*|x-service-.*|proxy-.*|sec-.*|host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|traceparent|tracestate|user-agent)$/i;
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Throws VALIDATION for headers that cannot be sent; the contract limits their number, names and lengths. */
export function checkHeaders(headers: EndpointHeaders): void {
  const names = Object.keys(headers);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw invalid('headers', 'names a header twice.');
  for (const [name, value] of Object.entries(headers)) {
    if (reservedHeader.test(name)) throw invalid(`headers.${name}`, 'is a header that the service sets itself.');
    if (!headerValue.test(value)) throw invalid(`headers.${name}`, 'must be printable ASCII characters.');
  }
}

/** An endpoint as the API returns it, without its secret. */
export function toEndpoint(row: EndpointRow, nowMs: number): Record<string, unknown> {
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
