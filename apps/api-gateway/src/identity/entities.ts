import { defineTable } from '@rapporteur/database';

const plans = defineTable({
  name: 'plans',
  columns: {
    name: { type: 'text', primary: true, primaryKeyConstraintName: 'plans_pkey' },
    requests_per_second: { type: 'integer' },
    daily_bot_cap: { type: 'integer' },
    retention_days: { type: 'integer' },
    /** Whether teams on the plan may transcribe with keys of their own. */
    byok_transcription: { type: 'boolean', default: true },
  },
  checks: [
    { name: 'plans_requests_per_second', expression: 'requests_per_second between 1 and 1000' },
    { name: 'plans_daily_bot_cap', expression: 'daily_bot_cap > 0' },
    { name: 'plans_retention_days', expression: 'retention_days > 0' },
  ],
});

const teams = defineTable({
  name: 'teams',
  columns: {
    team_id: { type: 'uuid', primary: true, generated: 'uuid', primaryKeyConstraintName: 'teams_pkey' },
    name: { type: 'text' },
    plan: { type: 'text', foreignKey: { target: 'plans', inverseSide: 'name', name: 'teams_plan_fkey' } },
    /** Goes up with every change that others keep a copy of. */
    version: { type: 'integer', default: 1 },
    created_at: { type: 'timestamptz', default: () => 'now()' },
    /** Null: the plan's value. */
    requests_per_second: { type: 'integer', nullable: true },
    daily_bot_cap: { type: 'integer', nullable: true },
    retention_days: { type: 'integer', nullable: true },
    /** What the team chose itself, below that. */
    chosen_retention_days: { type: 'integer', nullable: true },
  },
  uniques: [{ name: 'teams_name_key', columns: ['name'] }],
  checks: [
    { name: 'teams_name', expression: 'length(name) between 1 and 100' },
    { name: 'teams_version', expression: 'version > 0' },
    { name: 'teams_requests_per_second', expression: 'requests_per_second between 1 and 1000' },
    { name: 'teams_daily_bot_cap', expression: 'daily_bot_cap > 0' },
    { name: 'teams_retention_days', expression: 'retention_days > 0' },
    { name: 'teams_chosen_retention_days', expression: 'chosen_retention_days > 0' },
  ],
});

const apiKeys = defineTable({
  name: 'api_keys',
  columns: {
    key_id: { type: 'uuid', primary: true, generated: 'uuid', primaryKeyConstraintName: 'api_keys_pkey' },
    team_id: { type: 'uuid', foreignKey: { target: 'teams', inverseSide: 'team_id', name: 'api_keys_team_id_fkey' } },
    name: { type: 'text' },
    permission: { type: 'text' },
    key_hash: { type: 'bytea' },
    key_start: { type: 'text' },
    created_at: { type: 'timestamptz', default: () => 'now()' },
    expires_at: { type: 'timestamptz', nullable: true },
    revoked_at: { type: 'timestamptz', nullable: true },
    last_used_at: { type: 'timestamptz', nullable: true },
  },
  uniques: [{ name: 'api_keys_key_hash_key', columns: ['key_hash'] }],
  indices: [{ name: 'api_keys_team_id', columns: ['team_id'] }],
  checks: [
    { name: 'api_keys_name', expression: 'length(name) between 1 and 50' },
    { name: 'api_keys_permission', expression: `permission in ('full', 'sending')` },
    { name: 'api_keys_key_hash', expression: 'length(key_hash) = 32' },
  ],
});

/**
 * One second of request times per team, of reads apart: worth nothing after a crash, so it costs no write-ahead log.
 */
const rateWindows = defineTable({
  name: 'rate_windows',
  columns: {
    team_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'rate_windows_pkey' },
    reads: { type: 'boolean', primary: true, primaryKeyConstraintName: 'rate_windows_pkey' },
    /** Requests are kept in groups of this many, each with the time of its latest, and the newest holds so many. */
    group_size: { type: 'integer' },
    newest_holds: { type: 'integer' },
    /** Microseconds since 1970 of the newest groups of admitted requests, oldest first. */
    passed: { type: 'bigint', array: true },
  },
});

/** One minute of deletions per key: worth nothing after a crash, so it costs no write-ahead log. */
const deletionWindows = defineTable({
  name: 'deletion_windows',
  columns: {
    key_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'deletion_windows_pkey' },
    admitted: { type: 'boolean' },
    /** Microseconds since 1970 of the admitted calls of the last minute, oldest first. */
    passed: { type: 'bigint', array: true },
  },
});

const idempotencyKeys = defineTable({
  name: 'idempotency_keys',
  columns: {
    team_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'idempotency_keys_pkey' },
    /** Method and route of the document, for example POST /v2/bots. */
    operation: { type: 'text', primary: true, primaryKeyConstraintName: 'idempotency_keys_pkey' },
    /** Keys may be confidential: only their SHA-256 is kept. */
    key_hash: { type: 'bytea', primary: true, primaryKeyConstraintName: 'idempotency_keys_pkey' },
    request_hash: { type: 'bytea' },
    /** The same for every attempt of one request; passed to its owner. */
    idempotency_id: { type: 'uuid' },
    /** The instance that works on it, and until when no other may. */
    claim_id: { type: 'uuid' },
    claimed_until: { type: 'timestamptz' },
    /** Null until it is answered. The response is sealed: it may hold a secret that is shown once. */
    status: { type: 'integer', nullable: true },
    headers: { type: 'jsonb', nullable: true },
    response: { type: 'bytea', nullable: true },
    expires_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'idempotency_keys_expires_at', columns: ['expires_at'] }],
  checks: [
    { name: 'idempotency_keys_key_hash', expression: 'length(key_hash) = 32' },
    { name: 'idempotency_keys_request_hash', expression: 'length(request_hash) = 32' },
    {
      name: 'idempotency_keys_response',
      expression: '(status is null) = (response is null) and (status is null) = (headers is null)',
    },
  ],
});

const auditLog = defineTable({
  name: 'audit_log',
  columns: {
    entry_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'audit_log_pkey' },
    team_id: { type: 'uuid' },
    at: { type: 'timestamptz' },
    /** Null: a user, or an operator through the admin API. */
    key_id: { type: 'uuid', nullable: true },
    /** Who was signed in to the console. */
    user_name: { type: 'text', nullable: true },
    /** The id of that user in this deployment: users choose their names. */
    user_id: { type: 'uuid', nullable: true },
    action: { type: 'text' },
    target: { type: 'jsonb' },
    status: { type: 'integer' },
    request_id: { type: 'text' },
  },
  indices: [
    { name: 'audit_log_newest', columns: ['team_id', 'at', 'entry_id'] },
    { name: 'audit_log_at', columns: ['at'] },
  ],
});

export const identityEntities = [plans, teams, apiKeys, rateWindows, deletionWindows, idempotencyKeys, auditLog];
