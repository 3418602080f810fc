import type { RowOf } from '@rapporteur/database';
import type { attempts, deliveries, endpoints, messages } from './entities.ts';

export type DisabledReason = 'by_request' | 'gone' | 'failing';
/** `legacy`: the shapes of the first API generation. */
export type PayloadFormat = 'v2' | 'legacy';
export type DeliveryState = 'pending' | 'held' | 'succeeded' | 'failed';

/** An address that came with a bot or a calendar: a bot's callback, or the webhook address of a legacy bot or calendar. */
export type CallbackKind = 'callback' | 'legacy';

/** An endpoint of a team. Addresses of bots and calendars, which have an owner, are never read as such. */
export type EndpointRow = RowOf<
  typeof endpoints,
  { format: PayloadFormat; disabled_reason: DisabledReason | null; secret: Buffer }
>;

/** What happened, once, with the exact bytes that every endpoint gets. */
export type MessageRow = RowOf<typeof messages, { format: PayloadFormat }>;

/** One message on its way to one endpoint. */
export type DeliveryRow = RowOf<typeof deliveries, { state: DeliveryState }>;

export type AttemptRow = RowOf<typeof attempts, { outcome: 'succeeded' | 'failed' }>;
