import { defineTable, jsonb } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import type { TeamAccess } from '../oidc/team-access.ts';

const kinds = ['issuer', 'tokens', 'access', 'team_id', 'confirmed_at', 'user_name', 'sign_in_hash'];
const together = kinds.map((column) => `(subject is null) = (${column} is null)`);

const sessions = defineTable({
  name: 'sessions',
  columns: {
    /** SHA-256 of the cookie's value: the content of this table does not give access to a session. */
    session_hash: { type: 'bytea', primary: true, primaryKeyConstraintName: 'sessions_pkey' },
    created_at: { type: 'timestamptz' },
    expires_at: { type: 'timestamptz' },
    /** Sealed. Of a session that began with an API key; all that follows is of a user's. */
    api_key: { type: 'bytea', nullable: true },
    issuer: { type: 'text', nullable: true },
    subject: { type: 'text', nullable: true },
    /** The identity provider's id of its own session, where it gives one. */
    provider_session: { type: 'text', nullable: true },
    /** The sign-in that made the session: the same response of the provider makes no second one. */
    sign_in_hash: { type: 'bytea', nullable: true },
    user_name: { type: 'text', nullable: true },
    /** Sealed: the tokens of the provider. */
    tokens: { type: 'bytea', nullable: true },
    /** Teams and roles as the provider last gave them. */
    access: { type: jsonb<readonly TeamAccess[]>(), nullable: true },
    team_id: { type: 'uuid', nullable: true },
    /** When the provider last confirmed the user and the roles, and when it was last requested. */
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
