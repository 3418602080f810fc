import { defineTable, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';

export type DisabledReason = 'by_request' | 'gone' | 'failing';
/** `legacy`: the shapes of the first API generation. */
export type PayloadFormat = 'v2' | 'legacy';
export type DeliveryState = 'pending' | 'held' | 'succeeded' | 'failed';

/** Kind of an address of a bot or a calendar: a bot's callback, or the webhook address of a legacy bot or calendar. */
export type CallbackKind = 'callback' | 'legacy';

export const endpoints = defineTable({
  name: 'webhook_endpoints',
  columns: {
    endpoint_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'webhook_endpoints_pkey' },
    team_id: { type: 'uuid' },
    /**
     * Null for an endpoint of the team. Otherwise the endpoint is one address that came with a bot or a calendar, for
     * one message, and this is their id.
     */
    owner_id: { type: 'uuid', nullable: true },
    kind: { type: 'text', nullable: true },
    /** Why it is made; the same trigger makes one address of an owner, however often its event arrives. */
    trigger: { type: 'text', nullable: true },
    method: { type: 'text', default: 'POST' },
    /** Field under which the bot's owner keeps what goes into a header; read at each attempt. */
    secret_field: { type: 'text', nullable: true },
    name: { type: 'text', nullable: true },
    url: { type: 'text' },
    /** Empty for the address of an owner. It gets the one message that it was made for. */
    events: { type: 'text', array: true },
    enabled: { type: 'boolean' },
    disabled_reason: { type: text<DisabledReason>(), nullable: true },
    /** First failure since the last success. */
    failing_since: { type: 'timestamptz', nullable: true },
    /** Sealed by src/secrets, bound to team, endpoint and column. */
    secret: { type: 'bytea', nullable: true },
    previous_secret: { type: 'bytea', nullable: true },
    previous_secret_expires_at: { type: 'timestamptz', nullable: true },
    /** The endpoint's own headers: sealed as one JSON object, and their names. */
    headers: { type: 'bytea', nullable: true },
    header_names: { type: 'text', array: true, default: '{}' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    format: { type: text<PayloadFormat>(), default: 'v2' },
  },
  uniques: [{ name: 'webhook_endpoints_trigger', columns: ['owner_id', 'trigger'] }],
  indices: [
    { name: 'webhook_endpoints_team', columns: ['team_id', 'created_at'], where: 'owner_id is null' },
    { name: 'webhook_endpoints_owned_created', columns: ['created_at'], where: 'owner_id is not null' },
  ],
  checks: [
    { name: 'webhook_endpoints_name', expression: 'length(name) between 1 and 255' },
    {
      name: 'webhook_endpoints_url',
      expression: 'length(url) >= 1 and (owner_id is not null or length(url) <= 2048)',
    },
    { name: 'webhook_endpoints_events', expression: '(owner_id is null) = (cardinality(events) > 0)' },
    { name: 'webhook_endpoints_kind', expression: `kind in ('callback', 'legacy')` },
    { name: 'webhook_endpoints_method', expression: `method in ('POST', 'PUT')` },
    {
      name: 'webhook_endpoints_owned',
      expression: '(owner_id is null) = (kind is null) and (owner_id is null) = (trigger is null)',
    },
    { name: 'webhook_endpoints_secret', expression: '(owner_id is null) = (secret is not null)' },
    {
      name: 'webhook_endpoints_disabled_reason',
      expression: `disabled_reason in ('by_request', 'gone', 'failing')`,
    },
    { name: 'webhook_endpoints_format', expression: `format in ('v2', 'legacy')` },
    { name: 'webhook_endpoints_headers', expression: '(headers is not null) = (cardinality(header_names) > 0)' },
    { name: 'webhook_endpoints_enabled', expression: 'enabled = (disabled_reason is null)' },
    {
      name: 'webhook_endpoints_previous',
      expression: '(previous_secret is null) = (previous_secret_expires_at is null)',
    },
  ],
});

/** An endpoint of a team. Rows with an owner are addresses of bots and calendars and are never read as endpoints. */
export type EndpointRow = RowOf<typeof endpoints> & { readonly secret: Buffer };

export const messages = defineTable({
  name: 'messages',
  columns: {
    message_id: { type: 'text', primary: true, primaryKeyConstraintName: 'messages_pkey' },
    team_id: { type: 'uuid' },
    bot_id: { type: 'uuid', nullable: true },
    /** The event type of subscriptions, in either format. */
    event: { type: 'text' },
    /** The exact bytes of every attempt. */
    body: { type: 'bytea' },
    created_at: { type: 'timestamptz' },
    format: { type: text<PayloadFormat>(), default: 'v2' },
    /**
     * Field under which the bot's owner keeps the API key that legacy receivers expect in a header; read at each
     * attempt.
     */
    key_field: { type: 'text', nullable: true },
    /** The bot's data was deleted: nothing of the body is shown, and the content that it had is gone. */
    redacted_at: { type: 'timestamptz', nullable: true },
    /** W3C trace context of the event; null: none. */
    trace: { type: 'text', nullable: true },
    /**
     * The transaction that stored it: lists of new messages are in this order, which no transaction that commits later
     * precedes.
     */
    stored_in: { type: 'bigint', default: () => 'pg_current_xact_id()::text::bigint' },
  },
  indices: [
    { name: 'messages_new', columns: ['team_id', 'stored_in', 'message_id'], where: `format = 'v2'` },
    { name: 'messages_created', columns: ['created_at'] },
    { name: 'messages_bot', columns: ['bot_id'] },
  ],
  checks: [{ name: 'messages_format', expression: `format in ('v2', 'legacy')` }],
});

/** An event, with the exact bytes that every endpoint gets. */
export type MessageRow = RowOf<typeof messages>;

export const deliveries = defineTable({
  name: 'deliveries',
  columns: {
    delivery_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'deliveries_pkey' },
    endpoint_id: {
      type: 'uuid',
      foreignKey: {
        target: 'webhook_endpoints',
        inverseSide: 'endpoint_id',
        name: 'deliveries_endpoint',
        onDelete: 'CASCADE',
      },
    },
    message_id: {
      type: 'text',
      foreignKey: { target: 'messages', inverseSide: 'message_id', name: 'deliveries_message', onDelete: 'CASCADE' },
    },
    /**
     * Team and receiver, which is an endpoint or the origin of an owner's address: one that hangs holds up only
     * itself.
     */
    partition: { type: 'text' },
    state: { type: text<DeliveryState>() },
    /** Attempts of the schedule that runs now; starts anew with a resend or when the endpoint is enabled again. */
    tries: { type: 'integer' },
    attempts: { type: 'integer' },
    /** Resends requested before the running schedule ended; each starts another schedule after a success. */
    resends: { type: 'integer', default: 0 },
    /** With `bot_id`: its sequence among the bot's events, and that of the preceding one; null: unordered. */
    bot_id: { type: 'uuid', nullable: true },
    sequence: { type: 'integer', nullable: true },
    previous_sequence: { type: 'integer', nullable: true },
    /** While leased: when the lease ends, and with it the attempt of a process that died. */
    next_attempt_at: { type: 'timestamptz', nullable: true },
    lease_id: { type: 'uuid', nullable: true },
    last_attempt_at: { type: 'timestamptz', nullable: true },
    last_error: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz' },
    /** When it succeeded or was given up. */
    settled_at: { type: 'timestamptz', nullable: true },
  },
  uniques: [{ name: 'deliveries_once', columns: ['endpoint_id', 'message_id'] }],
  indices: [
    {
      name: 'deliveries_in_order',
      columns: ['partition', 'bot_id', 'sequence'],
      where: 'sequence is not null',
    },
    { name: 'deliveries_due', columns: ['next_attempt_at'], where: `state = 'pending'` },
    { name: 'deliveries_newest', columns: ['endpoint_id', 'created_at', 'message_id'] },
    { name: 'deliveries_by_message', columns: ['message_id'] },
    { name: 'deliveries_due_by_partition', columns: ['partition', 'next_attempt_at'], where: `state = 'pending'` },
    { name: 'deliveries_leased', columns: ['partition'], where: `lease_id is not null` },
  ],
  checks: [
    { name: 'deliveries_state', expression: `state in ('pending', 'held', 'succeeded', 'failed')` },
    { name: 'deliveries_due_at', expression: `(state = 'pending') = (next_attempt_at is not null)` },
    { name: 'deliveries_settled', expression: `(settled_at is null) = (state in ('pending', 'held'))` },
    { name: 'deliveries_lease', expression: `lease_id is null or state = 'pending'` },
  ],
});

/** The delivery of one message to one endpoint. */
export type DeliveryRow = RowOf<typeof deliveries>;

export const attempts = defineTable({
  name: 'attempts',
  columns: {
    attempt_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'attempts_pkey' },
    delivery_id: {
      type: 'uuid',
      foreignKey: { target: 'deliveries', inverseSide: 'delivery_id', name: 'attempts_delivery', onDelete: 'CASCADE' },
    },
    number: { type: 'integer' },
    outcome: { type: text<'succeeded' | 'failed'>() },
    status_code: { type: 'integer', nullable: true },
    error: { type: 'text', nullable: true },
    /** The first bytes of the response. */
    response_body: { type: 'bytea', nullable: true },
    started_at: { type: 'timestamptz' },
    duration_ms: { type: 'integer' },
  },
  uniques: [{ name: 'attempts_number', columns: ['delivery_id', 'number'] }],
  checks: [{ name: 'attempts_outcome', expression: `outcome in ('succeeded', 'failed')` }],
});

export type AttemptRow = RowOf<typeof attempts>;

/** A team for which a program waits for new messages. */
const listeners = defineTable({
  name: 'listeners',
  columns: {
    team_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'listeners_pkey' },
    expires_at: { type: 'timestamptz' },
  },
});

/** A bot whose data was deleted. */
const forgottenBots = defineTable({
  name: 'forgotten_bots',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'forgotten_bots_pkey' },
    forgotten_at: { type: 'timestamptz' },
    /** When the stores confirmed the deletion. */
    confirmed_at: { type: 'timestamptz', nullable: true },
  },
});

export const deliveryEntities = [endpoints, messages, deliveries, attempts, listeners, forgottenBots];
