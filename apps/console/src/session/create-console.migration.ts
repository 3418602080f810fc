import { sqlMigration } from '@rapporteur/database';

const sessions = `
  create table sessions (
    -- SHA-256 of the cookie's value: the content of this table does not give access to a session.
    session_hash bytea not null constraint sessions_pkey primary key constraint sessions_session_hash check (length(session_hash) = 32),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- Sealed. Of a session that began with an API key; all that follows is of a user's.
    api_key bytea,
    issuer text,
    subject text,
    -- The identity provider's id of its own session, where it gives one.
    provider_session text,
    -- The sign-in that made the session: the same response of the provider makes no second one.
    sign_in_hash bytea constraint sessions_sign_in_hash_key unique,
    user_name text,
    -- Sealed: the tokens of the provider.
    tokens bytea,
    -- Teams and roles as the provider last gave them.
    access jsonb,
    team_id uuid,
    -- When the provider last confirmed the user and the roles, and when it was last requested.
    confirmed_at timestamptz,
    tried_at timestamptz,
    constraint sessions_kind check (
      (api_key is not null) = (subject is null) and (subject is null) = (issuer is null)
      and (subject is null) = (tokens is null) and (subject is null) = (access is null)
      and (subject is null) = (team_id is null) and (subject is null) = (confirmed_at is null)
      and (subject is null) = (user_name is null) and (subject is null) = (sign_in_hash is null))
  );
  create index sessions_expires_at on sessions (expires_at);
  create index sessions_user on sessions (issuer, subject);
`;

export const createConsole = sqlMigration('CreateConsole20261126000000', sessions);
