import { sqlMigration } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';

const platformCredentials = `
  create table platform_credentials (
    credential_id uuid not null constraint platform_credentials_pkey primary key,
    team_id uuid not null,
    name text not null,
    credential_type text not null constraint platform_credentials_type check (credential_type in ('app', 'user')),
    client_id text not null,
    client_secret bytea,
    refresh_token bytea,
    access_token bytea,
    access_token_expires_at timestamptz,
    zoom_user_id text,
    zoom_account_id text,
    zoom_email text,
    zoom_display_name text,
    scopes text,
    state text not null constraint platform_credentials_state check (state in ('active', 'invalid')),
    last_error_message text,
    last_error_at timestamptz,
    extra jsonb,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    -- The process that renews the tokens at Zoom, and until when no other one does.
    renewal uuid,
    renewal_until timestamptz,
    constraint platform_credentials_renewal check ((renewal is null) = (renewal_until is null)),
    constraint platform_credentials_alive check ((deleted_at is null) = (client_secret is not null)),
    constraint platform_credentials_consent check (
      (refresh_token is not null) = (credential_type = 'user' and deleted_at is null)),
    constraint platform_credentials_access check ((access_token is null) = (access_token_expires_at is null)),
    constraint platform_credentials_error check ((last_error_message is null) = (last_error_at is null))
  );
  create index platform_credentials_newest on platform_credentials (team_id, created_at, credential_id);
  create index platform_credentials_user on platform_credentials (team_id, zoom_user_id);
`;

const logins = `
  create table login_workspaces (
    workspace_id uuid not null constraint login_workspaces_pkey primary key,
    team_id uuid not null,
    platform text not null constraint login_workspaces_platform check (platform in ('meet', 'teams')),
    domain text not null,
    name text not null,
    certificate bytea,
    private_key bytea,
    next_certificate bytea,
    next_private_key bytea,
    service_providers jsonb,
    state text not null constraint login_workspaces_state check (state in ('active', 'invalid')),
    extra jsonb,
    failure_data jsonb,
    last_error_message text,
    last_error_at timestamptz,
    verification jsonb,
    verify_after timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint login_workspaces_pair check (
      (certificate is null) = (private_key is null) and (certificate is null) = (platform = 'teams')),
    constraint login_workspaces_next_pair check ((next_certificate is null) = (next_private_key is null))
  );
  create unique index login_workspaces_domain on login_workspaces (team_id, platform, domain);
  create index login_workspaces_verify on login_workspaces (verify_after);

  create table logins (
    credential_id uuid not null constraint logins_pkey primary key,
    workspace_id uuid not null
      constraint logins_workspace_fkey references login_workspaces (workspace_id) on delete cascade,
    team_id uuid not null,
    platform text not null constraint logins_platform check (platform in ('meet', 'teams')),
    email text not null,
    email_key text not null,
    email_group text,
    name text not null,
    password bytea,
    state text not null constraint logins_state check (state in ('active', 'invalid')),
    extra jsonb,
    failure_data jsonb,
    last_error_message text,
    last_error_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint logins_password check ((password is null) = (platform = 'meet'))
  );
  create unique index logins_email on logins (team_id, platform, email_key);
  create index logins_workspace on logins (workspace_id);
`;

const sessions = `
  create table login_sessions (
    bot_id uuid not null constraint login_sessions_pkey primary key,
    team_id uuid not null,
    credential_id uuid not null
      constraint login_sessions_login_fkey references logins (credential_id),
    selector jsonb not null,
    failed_logins jsonb not null,
    reserved_at timestamptz not null
  );
  create index login_sessions_login on login_sessions (credential_id);

  create table sign_in_tickets (
    ticket_hash text not null constraint sign_in_tickets_pkey primary key,
    bot_id uuid not null,
    credential_id uuid not null,
    expires_at timestamptz not null,
    used_at timestamptz
  );
  create index sign_in_tickets_expiry on sign_in_tickets (expires_at);

  create table saml_requests (
    request_hash text not null constraint saml_requests_pkey primary key,
    received_at timestamptz not null
  );
  create index saml_requests_received on saml_requests (received_at);
`;

export const createSso = sqlMigration(
  'CreateSso20261121000000',
  platformCredentials,
  logins,
  sessions,
  outboxTablesSql,
);
