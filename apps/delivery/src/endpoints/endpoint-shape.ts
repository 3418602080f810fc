import { z } from 'zod';
import { webhookEventNames } from '@rapporteur/contracts';
import type { EndpointRow } from '../schema/entities.ts';

const url = z.string().min(1).max(2_048);
const name = z.string().min(1).max(255).nullable();
const events = z
  .array(z.enum(webhookEventNames))
  .min(1)
  .refine((list) => new Set(list).size === list.length, 'names an event twice');

const format = z.enum(['v2', 'legacy']);

/** Set by the service or by HTTP itself. */
const reservedHeader =
  /^(?:webhook-.*|svix-.*|x-service-.*|proxy-.*|sec-.*|host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|traceparent|tracestate|user-agent)$/i;
const headers = z
  .record(
    z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]{1,64}$/, 'is not the name of a header')
      .refine((header) => !reservedHeader.test(header), 'is a header that the service sets itself'),
    z
      .string()
      .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/, 'must be 1 to 1024 printable ASCII characters'),
  )
  .refine((given) => Object.keys(given).length <= 10, 'holds more than 10 headers')
  .refine(
    (given) => new Set(Object.keys(given).map((header) => header.toLowerCase())).size === Object.keys(given).length,
    'names a header twice',
  )
  .nullable();

export const createEndpointBody = z.strictObject({
  url,
  name: name.default(null),
  events: events.default(webhookEventNames),
  enabled: z.boolean().default(true),
  format: format.default('v2'),
  headers: headers.default(null),
});

export const updateEndpointBody = z
  .strictObject({
    url: url.optional(),
    name: name.optional(),
    events: events.optional(),
    enabled: z.boolean().optional(),
    format: format.optional(),
    headers: headers.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'holds nothing to change');

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
