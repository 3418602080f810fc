import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';
import { loginEntities } from './login-entities.ts';

export type CredentialType = 'app' | 'user';
export type CredentialState = 'active' | 'invalid';

export const credentials = defineTable({
  name: 'platform_credentials',
  columns: {
    credential_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'platform_credentials_pkey' },
    team_id: { type: 'uuid' },
    name: { type: 'text' },
    credential_type: { type: text<CredentialType>() },
    client_id: { type: 'text' },
    /** Sealed like the two tokens, each bound to team, credential and column; null once the credential is deleted. */
    client_secret: { type: 'bytea', nullable: true },
    refresh_token: { type: 'bytea', nullable: true },
    access_token: { type: 'bytea', nullable: true },
    access_token_expires_at: { type: 'timestamptz', nullable: true },
    zoom_user_id: { type: 'text', nullable: true },
    zoom_account_id: { type: 'text', nullable: true },
    zoom_email: { type: 'text', nullable: true },
    zoom_display_name: { type: 'text', nullable: true },
    scopes: { type: 'text', nullable: true },
    state: { type: text<CredentialState>() },
    last_error_message: { type: 'text', nullable: true },
    last_error_at: { type: 'timestamptz', nullable: true },
    extra: { type: jsonb<Record<string, unknown>>(), nullable: true },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    deleted_at: { type: 'timestamptz', nullable: true },
    /** The process that renews the tokens at Zoom, and until when no other one does. */
    renewal: { type: 'uuid', nullable: true },
    renewal_until: { type: 'timestamptz', nullable: true },
  },
  indices: [
    { name: 'platform_credentials_newest', columns: ['team_id', 'created_at', 'credential_id'] },
    { name: 'platform_credentials_user', columns: ['team_id', 'zoom_user_id'] },
  ],
  checks: [
    { name: 'platform_credentials_type', expression: `credential_type in ('app', 'user')` },
    { name: 'platform_credentials_state', expression: `state in ('active', 'invalid')` },
    { name: 'platform_credentials_alive', expression: '(deleted_at is null) = (client_secret is not null)' },
    {
      name: 'platform_credentials_consent',
      expression: `(refresh_token is not null) = (credential_type = 'user' and deleted_at is null)`,
    },
    { name: 'platform_credentials_access', expression: '(access_token is null) = (access_token_expires_at is null)' },
    { name: 'platform_credentials_renewal', expression: '(renewal is null) = (renewal_until is null)' },
    { name: 'platform_credentials_error', expression: '(last_error_message is null) = (last_error_at is null)' },
  ],
});

/** A customer's Zoom app and, for type user, the consent of one of its users. */
export type CredentialRow = RowOf<typeof credentials>;

export const ssoEntities = [credentials, ...loginEntities];
