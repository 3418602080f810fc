import type { RowOf } from '@rapporteur/database';
import type { attempts, deliveries, endpoints, messages } from './entities.ts';

export type DisabledReason = 'by_request' | 'gone' | 'failing';
/** `legacy`: the shapes of the first API generation. */
export type PayloadFormat = 'v2' | 'legacy';
export type DeliveryState = 'pending' | 'held' | 'succeeded' | 'failed';

/** Kind of an address of a bot or a calendar: a bot's callback, or the webhook address of a legacy bot or calendar. */
export type CallbackKind = 'callback' | 'legacy';

/** An endpoint of a team. Rows with an owner are addresses of bots and calendars and are never read as endpoints. */
export type EndpointRow = RowOf<
  typeof endpoints,
  { format: PayloadFormat; disabled_reason: DisabledReason | null; secret: Buffer }
>;

/** An event, with the exact bytes that every endpoint gets. */
export type MessageRow = RowOf<typeof messages, { format: PayloadFormat }>;

/** The delivery of one message to one endpoint. */
export type DeliveryRow = RowOf<typeof deliveries, { state: DeliveryState }>;

export type AttemptRow = RowOf<typeof attempts, { outcome: 'succeeded' | 'failed' }>;
