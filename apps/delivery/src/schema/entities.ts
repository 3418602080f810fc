import { defineTable } from '@rapporteur/database';
import { callbackDeliveryEntities } from './callback-delivery-entities.ts';

export const endpoints = defineTable({
  name: 'webhook_endpoints',
  columns: {
    endpoint_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'webhook_endpoints_pkey' },
    team_id: { type: 'uuid' },
    name: { type: 'text', nullable: true },
    url: { type: 'text' },
    events: { type: 'text', array: true },
    enabled: { type: 'boolean' },
    disabled_reason: { type: 'text', nullable: true },
    failing_since: { type: 'timestamptz', nullable: true },
    secret: { type: 'bytea' },
    previous_secret: { type: 'bytea', nullable: true },
    previous_secret_expires_at: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    format: { type: 'text', default: 'v2' },
  },
  indices: [{ name: 'webhook_endpoints_team', columns: ['team_id', 'created_at'] }],
  checks: [
    { name: 'webhook_endpoints_name', expression: 'length(name) between 1 and 255' },
    { name: 'webhook_endpoints_url', expression: 'length(url) between 1 and 2048' },
    { name: 'webhook_endpoints_events', expression: 'cardinality(events) > 0' },
    {
      name: 'webhook_endpoints_disabled_reason',
      expression: `disabled_reason in ('by_request', 'gone', 'failing')`,
    },
    { name: 'webhook_endpoints_format', expression: `format in ('v2', 'legacy')` },
    { name: 'webhook_endpoints_enabled', expression: 'enabled = (disabled_reason is null)' },
    {
      name: 'webhook_endpoints_previous',
      expression: '(previous_secret is null) = (previous_secret_expires_at is null)',
    },
  ],
});

export const messages = defineTable({
  name: 'messages',
  columns: {
    message_id: { type: 'text', primary: true, primaryKeyConstraintName: 'messages_pkey' },
    team_id: { type: 'uuid' },
    bot_id: { type: 'uuid', nullable: true },
    /** As endpoints subscribe to it, whatever the format of the body calls it. */
    event: { type: 'text' },
    body: { type: 'bytea' },
    created_at: { type: 'timestamptz' },
    format: { type: 'text', default: 'v2' },
    key_field: { type: 'text', nullable: true },
    redacted_at: { type: 'timestamptz', nullable: true },
    /** W3C trace context of the event; null: none. */
    trace: { type: 'text', nullable: true },
  },
  indices: [
    { name: 'messages_created', columns: ['created_at'] },
    { name: 'messages_bot', columns: ['bot_id'] },
  ],
  checks: [{ name: 'messages_format', expression: `format in ('v2', 'legacy')` }],
});

export const deliveries = defineTable({
  name: 'deliveries',
  columns: {
    endpoint_id: {
      type: 'uuid',
      primary: true,
      primaryKeyConstraintName: 'deliveries_pkey',
      foreignKey: {
        target: 'webhook_endpoints',
        inverseSide: 'endpoint_id',
        name: 'deliveries_endpoint',
        onDelete: 'CASCADE',
      },
    },
    message_id: {
      type: 'text',
      primary: true,
      primaryKeyConstraintName: 'deliveries_pkey',
      foreignKey: { target: 'messages', inverseSide: 'message_id', name: 'deliveries_message', onDelete: 'CASCADE' },
    },
    state: { type: 'text' },
    tries: { type: 'integer' },
    attempts: { type: 'integer' },
    /** With `bot_id`: its place among the bot's events, and that of the one that goes first; null: in no order. */
    bot_id: { type: 'uuid', nullable: true },
    sequence: { type: 'integer', nullable: true },
    previous_sequence: { type: 'integer', nullable: true },
    next_attempt_at: { type: 'timestamptz', nullable: true },
    lease_id: { type: 'uuid', nullable: true },
    last_attempt_at: { type: 'timestamptz', nullable: true },
    last_error: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz' },
    settled_at: { type: 'timestamptz', nullable: true },
  },
  indices: [
    {
      name: 'deliveries_in_order',
      columns: ['endpoint_id', 'bot_id', 'sequence'],
      where: 'sequence is not null',
    },
    { name: 'deliveries_due', columns: ['next_attempt_at'], where: `state = 'pending'` },
    { name: 'deliveries_newest', columns: ['endpoint_id', 'created_at', 'message_id'] },
    { name: 'deliveries_by_message', columns: ['message_id'] },
    { name: 'deliveries_due_by_partition', columns: ['endpoint_id', 'next_attempt_at'], where: `state = 'pending'` },
    { name: 'deliveries_leased', columns: ['endpoint_id'], where: `lease_id is not null` },
  ],
  checks: [
    { name: 'deliveries_state', expression: `state in ('pending', 'held', 'succeeded', 'failed')` },
    { name: 'deliveries_due_at', expression: `(state = 'pending') = (next_attempt_at is not null)` },
    { name: 'deliveries_settled', expression: `(settled_at is null) = (state in ('pending', 'held'))` },
    { name: 'deliveries_lease', expression: `lease_id is null or state = 'pending'` },
  ],
});

export const attempts = defineTable({
  name: 'attempts',
  columns: {
    attempt_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'attempts_pkey' },
    endpoint_id: { type: 'uuid' },
    message_id: { type: 'text' },
    number: { type: 'integer' },
    outcome: { type: 'text' },
    status_code: { type: 'integer', nullable: true },
    error: { type: 'text', nullable: true },
    response_body: { type: 'bytea', nullable: true },
    started_at: { type: 'timestamptz' },
    duration_ms: { type: 'integer' },
  },
  foreignKeys: [
    {
      target: 'deliveries',
      columnNames: ['endpoint_id', 'message_id'],
      referencedColumnNames: ['endpoint_id', 'message_id'],
      name: 'attempts_delivery',
      onDelete: 'CASCADE',
    },
  ],
  uniques: [{ name: 'attempts_number', columns: ['endpoint_id', 'message_id', 'number'] }],
  checks: [{ name: 'attempts_outcome', expression: `outcome in ('succeeded', 'failed')` }],
});

export const deliveryEntities = [endpoints, messages, deliveries, attempts, ...callbackDeliveryEntities];
