import { EntitySchema } from 'typeorm';

interface PlanRow {
  name: string;
  requests_per_second: number;
  daily_bot_cap: number;
  retention_days: number;
  byok_transcription: boolean;
}

interface TeamRow {
  team_id: string;
  name: string;
  plan: string;
  version: number;
  created_at: Date;
  /** Null: as the plan says. */
  requests_per_second: number | null;
  daily_bot_cap: number | null;
  retention_days: number | null;
}

interface ApiKeyRow {
  key_id: string;
  team_id: string;
  name: string;
  permission: 'full' | 'sending';
  key_hash: Buffer;
  key_start: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

interface RateWindowRow {
  team_id: string;
  group_size: number;
  newest_holds: number;
  /** Microseconds since 1970 of the newest groups of admitted requests, oldest first. */
  passed: string[];
}

interface DeletionWindowRow {
  key_id: string;
  admitted: boolean;
  /** Microseconds since 1970 of the admitted calls of the last minute, oldest first. */
  passed: string[];
}

interface IdempotencyKeyRow {
  team_id: string;
  operation: string;
  key_hash: Buffer;
  request_hash: Buffer;
  idempotency_id: string;
  claim_id: string;
  claimed_until: Date;
  status: number | null;
  headers: Record<string, string> | null;
  response: Buffer | null;
  expires_at: Date;
}

const plans = new EntitySchema<PlanRow>({
  name: 'plans',
  columns: {
    name: { type: 'text', primary: true, primaryKeyConstraintName: 'plans_pkey' },
    requests_per_second: { type: 'integer' },
    daily_bot_cap: { type: 'integer' },
    retention_days: { type: 'integer' },
    byok_transcription: { type: 'boolean', default: true },
  },
  checks: [
    { name: 'plans_requests_per_second', expression: 'requests_per_second between 1 and 1000' },
    { name: 'plans_daily_bot_cap', expression: 'daily_bot_cap > 0' },
    { name: 'plans_retention_days', expression: 'retention_days > 0' },
  ],
});

const teams = new EntitySchema<TeamRow>({
  name: 'teams',
  columns: {
    team_id: { type: 'uuid', primary: true, generated: 'uuid', primaryKeyConstraintName: 'teams_pkey' },
    name: { type: 'text' },
    plan: { type: 'text', foreignKey: { target: 'plans', inverseSide: 'name', name: 'teams_plan_fkey' } },
    version: { type: 'integer', default: 1 },
    created_at: { type: 'timestamptz', default: () => 'now()' },
    requests_per_second: { type: 'integer', nullable: true },
    daily_bot_cap: { type: 'integer', nullable: true },
    retention_days: { type: 'integer', nullable: true },
  },
  uniques: [{ name: 'teams_name_key', columns: ['name'] }],
  checks: [
    { name: 'teams_name', expression: 'length(name) between 1 and 100' },
    { name: 'teams_version', expression: 'version > 0' },
    { name: 'teams_requests_per_second', expression: 'requests_per_second between 1 and 1000' },
    { name: 'teams_daily_bot_cap', expression: 'daily_bot_cap > 0' },
    { name: 'teams_retention_days', expression: 'retention_days > 0' },
  ],
});

const apiKeys = new EntitySchema<ApiKeyRow>({
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

const rateWindows = new EntitySchema<RateWindowRow>({
  name: 'rate_windows',
  columns: {
    team_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'rate_windows_pkey' },
    group_size: { type: 'integer' },
    newest_holds: { type: 'integer' },
    passed: { type: 'bigint', array: true },
  },
});

const deletionWindows = new EntitySchema<DeletionWindowRow>({
  name: 'deletion_windows',
  columns: {
    key_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'deletion_windows_pkey' },
    admitted: { type: 'boolean' },
    passed: { type: 'bigint', array: true },
  },
});

const idempotencyKeys = new EntitySchema<IdempotencyKeyRow>({
  name: 'idempotency_keys',
  columns: {
    team_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'idempotency_keys_pkey' },
    operation: { type: 'text', primary: true, primaryKeyConstraintName: 'idempotency_keys_pkey' },
    key_hash: { type: 'bytea', primary: true, primaryKeyConstraintName: 'idempotency_keys_pkey' },
    request_hash: { type: 'bytea' },
    idempotency_id: { type: 'uuid' },
    claim_id: { type: 'uuid' },
    claimed_until: { type: 'timestamptz' },
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

interface AuditRow {
  readonly entry_id: string;
  readonly team_id: string;
  readonly at: Date;
  readonly key_id: string | null;
  readonly action: string;
  readonly target: Readonly<Record<string, string>>;
  readonly status: number;
  readonly request_id: string;
}

const auditLog = new EntitySchema<AuditRow>({
  name: 'audit_log',
  columns: {
    entry_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'audit_log_pkey' },
    team_id: { type: 'uuid' },
    at: { type: 'timestamptz' },
    key_id: { type: 'uuid', nullable: true },
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

export const identityEntities = [
  plans,
  teams,
  apiKeys,
  rateWindows,
  deletionWindows,
  idempotencyKeys,
  auditLog,
] as unknown as readonly EntitySchema[];
