export type DisabledReason = 'by_request' | 'gone' | 'failing';
export type DeliveryState = 'pending' | 'held' | 'succeeded' | 'failed';

export interface EndpointRow {
  endpoint_id: string;
  team_id: string;
  name: string | null;
  url: string;
  events: string[];
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
  event: string;
  body: Buffer;
  created_at: Date;
}

/** One message on its way to one endpoint. */
export interface DeliveryRow {
  endpoint_id: string;
  message_id: string;
  state: DeliveryState;
  tries: number;
  attempts: number;
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
