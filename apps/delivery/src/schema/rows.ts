export type DisabledReason = 'by_request' | 'gone' | 'failing';
/** `legacy`: the shapes of the first API generation. */
export type PayloadFormat = 'v2' | 'legacy';
export type DeliveryState = 'pending' | 'held' | 'succeeded' | 'failed';

export interface EndpointRow {
  endpoint_id: string;
  team_id: string;
  name: string | null;
  url: string;
  events: string[];
  format: PayloadFormat;
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  failing_since: Date | null;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** What happened, once, with the exact bytes that every endpoint gets. */
export interface MessageRow {
  message_id: string;
  team_id: string;
  bot_id: string | null;
  /** As endpoints subscribe to it, whatever the format of the body calls it. */
  event: string;
  format: PayloadFormat;
  key_field: string | null;
  body: Buffer;
  redacted_at: Date | null;
  created_at: Date;
}

/** One message on its way to one endpoint. */
export interface DeliveryRow {
  endpoint_id: string;
  message_id: string;
  state: DeliveryState;
  tries: number;
  attempts: number;
  /** With `bot_id`: its place among the bot's events, and that of the one that goes first; null: in no order. */
  bot_id: string | null;
  sequence: number | null;
  previous_sequence: number | null;
  next_attempt_at: Date | null;
  lease_id: string | null;
  last_attempt_at: Date | null;
  last_error: string | null;
  created_at: Date;
  settled_at: Date | null;
}

export interface AttemptRow {
  attempt_id: string;
  endpoint_id: string;
  message_id: string;
  number: number;
  outcome: 'succeeded' | 'failed';
  status_code: number | null;
  error: string | null;
  response_body: Buffer | null;
  started_at: Date;
  duration_ms: number;
}

export type CallbackDeliveryKind = 'callback' | 'legacy';
export type CallbackDeliveryState = Exclude<DeliveryState, 'held'>;

/** One message to one address that came with the bot: its callback, or the webhook address of a legacy bot. */
export interface CallbackDeliveryRow {
  call_id: string;
  bot_id: string;
  team_id: string;
  kind: CallbackDeliveryKind;
  trigger: string;
  message_id: string;
  event: string;
  url: string;
  method: 'POST' | 'PUT';
  secret_field: string | null;
  partition: string;
  sequence: number | null;
  previous_sequence: number | null;
  body: Buffer;
  state: CallbackDeliveryState;
  tries: number;
  next_attempt_at: Date | null;
  lease_id: string | null;
  last_attempt_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  created_at: Date;
  settled_at: Date | null;
}

export interface CallbackAttemptRow {
  attempt_id: string;
  call_id: string;
  number: number;
  outcome: 'succeeded' | 'failed';
  status_code: number | null;
  error: string | null;
  started_at: Date;
  duration_ms: number;
}

/** A bot whose data was deleted. */
export interface ForgottenBotRow {
  bot_id: string;
  forgotten_at: Date;
}
