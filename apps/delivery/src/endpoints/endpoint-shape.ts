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

export const createEndpointBody = z.strictObject({
  url,
  name: name.default(null),
  events: events.default(webhookEventNames),
  enabled: z.boolean().default(true),
  format: format.default('v2'),
});

export const updateEndpointBody = z
  .strictObject({
    url: url.optional(),
    name: name.optional(),
    events: events.optional(),
    enabled: z.boolean().optional(),
    format: format.optional(),
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
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_expires_at: expiresAt !== null && expiresAt.getTime() > nowMs ? expiresAt.toISOString() : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
