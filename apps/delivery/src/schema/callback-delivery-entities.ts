import { defineTable } from '@rapporteur/database';

export const calls = defineTable({
  name: 'calls',
  columns: {
    call_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'calls_pkey' },
    bot_id: { type: 'uuid' },
    team_id: { type: 'uuid' },
    kind: { type: 'text' },
    trigger: { type: 'text' },
    message_id: { type: 'text' },
    event: { type: 'text' },
    url: { type: 'text' },
    method: { type: 'text' },
    secret_field: { type: 'text', nullable: true },
    partition: { type: 'text' },
    sequence: { type: 'integer', nullable: true },
    previous_sequence: { type: 'integer', nullable: true },
    trace: { type: 'text', nullable: true },
    body: { type: 'bytea' },
    state: { type: 'text' },
    tries: { type: 'integer' },
    next_attempt_at: { type: 'timestamptz', nullable: true },
    lease_id: { type: 'uuid', nullable: true },
    last_attempt_at: { type: 'timestamptz', nullable: true },
    last_status: { type: 'integer', nullable: true },
    last_error: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz' },
    settled_at: { type: 'timestamptz', nullable: true },
  },
  uniques: [{ name: 'calls_trigger', columns: ['bot_id', 'trigger'] }],
  indices: [
    { name: 'calls_in_order', columns: ['bot_id', 'sequence'], where: 'sequence is not null' },
    { name: 'calls_due', columns: ['next_attempt_at'], where: `state = 'pending'` },
    { name: 'calls_due_by_partition', columns: ['partition', 'next_attempt_at'], where: `state = 'pending'` },
    { name: 'calls_leased', columns: ['partition'], where: 'lease_id is not null' },
    { name: 'calls_created', columns: ['created_at'] },
  ],
  checks: [
    { name: 'calls_kind', expression: `kind in ('callback', 'legacy')` },
    { name: 'calls_method', expression: `method in ('POST', 'PUT')` },
    { name: 'calls_state', expression: `state in ('pending', 'succeeded', 'failed')` },
    { name: 'calls_due_at', expression: `(state = 'pending') = (next_attempt_at is not null)` },
    { name: 'calls_settled', expression: `(settled_at is null) = (state = 'pending')` },
    { name: 'calls_lease', expression: `lease_id is null or state = 'pending'` },
  ],
});

export const callbackAttempts = defineTable({
  name: 'call_attempts',
  columns: {
    attempt_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'call_attempts_pkey' },
    call_id: {
      type: 'uuid',
      foreignKey: { target: 'calls', inverseSide: 'call_id', name: 'call_attempts_call', onDelete: 'CASCADE' },
    },
    number: { type: 'integer' },
    outcome: { type: 'text' },
    status_code: { type: 'integer', nullable: true },
    error: { type: 'text', nullable: true },
    started_at: { type: 'timestamptz' },
    duration_ms: { type: 'integer' },
  },
  uniques: [{ name: 'call_attempts_number', columns: ['call_id', 'number'] }],
  checks: [{ name: 'call_attempts_outcome', expression: `outcome in ('succeeded', 'failed')` }],
});

/** A bot whose data was deleted. */
const forgottenBots = defineTable({
  name: 'forgotten_bots',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'forgotten_bots_pkey' },
    forgotten_at: { type: 'timestamptz' },
    /** Since when the stores have confirmed the deletion. */
    confirmed_at: { type: 'timestamptz', nullable: true },
  },
});

export const callbackDeliveryEntities = [calls, callbackAttempts, forgottenBots];
