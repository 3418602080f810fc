import type { RowOf } from '@rapporteur/database';
import type { callbackAttempts, calls } from './callback-delivery-entities.ts';
import type { attempts, deliveries, endpoints, messages } from './entities.ts';

export type DisabledReason = 'by_request' | 'gone' | 'failing';
/** `legacy`: the shapes of the first API generation. */
export type PayloadFormat = 'v2' | 'legacy';
export type DeliveryState = 'pending' | 'held' | 'succeeded' | 'failed';

export type CallbackDeliveryKind = 'callback' | 'legacy';
export type CallbackDeliveryState = Exclude<DeliveryState, 'held'>;

export type EndpointRow = RowOf<typeof endpoints, { format: PayloadFormat; disabled_reason: DisabledReason | null }>;

/** What happened, once, with the exact bytes that every endpoint gets. */
export type MessageRow = RowOf<typeof messages, { format: PayloadFormat }>;

/** One message on its way to one endpoint. */
export type DeliveryRow = RowOf<typeof deliveries, { state: DeliveryState }>;

export type AttemptRow = RowOf<typeof attempts, { outcome: 'succeeded' | 'failed' }>;

/** One message to one address that came with the bot: its callback, or the webhook address of a legacy bot. */
export type CallbackDeliveryRow = RowOf<
  typeof calls,
  { kind: CallbackDeliveryKind; method: 'POST' | 'PUT'; state: CallbackDeliveryState }
>;

export type CallbackAttemptRow = RowOf<typeof callbackAttempts, { outcome: 'succeeded' | 'failed' }>;
