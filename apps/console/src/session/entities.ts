import { defineTable, jsonb } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import type { TeamAccess } from '../oidc/team-access.ts';

const kinds = ['issuer', 'tokens', 'access', 'team_id', 'confirmed_at', 'user_name', 'sign_in_hash'];
const together = kinds.map((column) => `(subject is null) = (${column} is null)`);

const sessions = defineTable({
  name: 'sessions',
  columns: {
    session_hash: { type: 'bytea', primary: true, primaryKeyConstraintName: 'sessions_pkey' },
    created_at: { type: 'timestamptz' },
    expires_at: { type: 'timestamptz' },
    api_key: { type: 'bytea', nullable: true },
    issuer: { type: 'text', nullable: true },
    subject: { type: 'text', nullable: true },
    provider_session: { type: 'text', nullable: true },
    sign_in_hash: { type: 'bytea', nullable: true },
    user_name: { type: 'text', nullable: true },
    tokens: { type: 'bytea', nullable: true },
    access: { type: jsonb<readonly TeamAccess[]>(), nullable: true },
    team_id: { type: 'uuid', nullable: true },
    confirmed_at: { type: 'timestamptz', nullable: true },
    tried_at: { type: 'timestamptz', nullable: true },
  },
  uniques: [{ name: 'sessions_sign_in_hash_key', columns: ['sign_in_hash'] }],
  checks: [
    { name: 'sessions_session_hash', expression: 'length(session_hash) = 32' },
    { name: 'sessions_kind', expression: ['(api_key is not null) = (subject is null)', ...together].join(' and ') },
  ],
  indices: [
    { name: 'sessions_expires_at', columns: ['expires_at'] },
    { name: 'sessions_user', columns: ['issuer', 'subject'] },
  ],
});

export const consoleEntities = [sessions];

export type SessionRow = RowOf<typeof sessions>;
