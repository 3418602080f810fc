import { webhookEventOf } from '@rapporteur/contracts';
import type { WebhookEventName } from '@rapporteur/contracts';

export type EventType = WebhookEventName;

/** Sent on request, once, to one endpoint. */
export const testEvent = 'webhook.test';
export type MessageEvent = EventType | typeof testEvent;

/** Final events are stored even without a subscribed endpoint: they can be requested again later. */
export function isFinal(event: MessageEvent): boolean {
  return webhookEventOf(event)?.final === true;
}
