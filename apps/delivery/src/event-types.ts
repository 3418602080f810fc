import { webhookEventOf } from '@rapporteur/contracts';
import type { WebhookEventName } from '@rapporteur/contracts';

export type EventType = WebhookEventName;

/** Sent on request, to one endpoint, once. */
export const testEvent = 'webhook.test';
export type MessageEvent = EventType | typeof testEvent;

/** Final events are kept even when no endpoint is subscribed yet: they can be sent again later. */
export function isFinal(event: MessageEvent): boolean {
  return webhookEventOf(event)?.final === true;
}
