import { loginPlatforms } from '@rapporteur/contracts';
import type { LoginPlatform } from '@rapporteur/contracts';
import { defineTable, jsonb, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';

export type LoginState = 'active' | 'invalid';
export type Extra = Record<string, unknown> | null;

/** The sign-in that made a workspace or login invalid. Never contains an assertion or a secret. */
export interface FailureData {
  readonly code: string;
  readonly bot_id: string;
  readonly meeting_url_host: string | null;
  readonly occurred_at: string;
  readonly attempt: number;
  readonly idp_status: string | null;
  readonly idp_sub_status: string | null;
  readonly final_url_host: string | null;
  readonly screenshot_url: string | null;
}

/** One application that may receive assertions of a workspace. */
export interface ServiceProvider {
  readonly entity_id: string;
  readonly acs_url: string;
  /** Null: the entity id. */
  readonly audience: string | null;
  /** Where responses to its LogoutRequests are sent; null: it has no address for them. */
  readonly logout_url: string | null;
}

export interface Verification {
  readonly ok: boolean;
  readonly checked_at: string;
  readonly checks: readonly VerificationCheck[];
}

export interface VerificationCheck {
  readonly name: string;
  readonly status: 'pass' | 'warn' | 'fail' | 'skipped';
  readonly message: string | null;
}

/** Members of `meet_config` and `teams_config`; the group goes before the id. */
export interface LoginSelector {
  readonly platform: LoginPlatform;
  readonly credentialId: string | null;
  /** Empty: any login of the team. */
  readonly emailGroup: string | null;
}

const sealed = { type: 'bytea', nullable: true } as const;
const instant = { type: 'timestamptz' } as const;
const platformIs = `platform in (${loginPlatforms.map((name) => `'${name}'`).join(', ')})`;
/** Why a record is invalid, or the last failure; all null without a failure. */
const failure = {
  state: { type: text<LoginState>() },
  extra: { type: jsonb<Record<string, unknown>>(), nullable: true },
  failure_data: { type: jsonb<FailureData>(), nullable: true },
  last_error_message: { type: 'text', nullable: true },
  last_error_at: { ...instant, nullable: true },
} as const;

export const workspaces = defineTable({
  name: 'login_workspaces',
  columns: {
    workspace_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'login_workspaces_pkey' },
    team_id: { type: 'uuid' },
    platform: { type: text<LoginPlatform>() },
    domain: { type: 'text' },
    name: { type: 'text' },
    /** Sealed, as the three below; all null for Teams. */
    certificate: sealed,
    private_key: sealed,
    /** The new pair of a rotation, until the domain accepts it. */
    next_certificate: sealed,
    next_private_key: sealed,
    /** Null: those of Google's organization-wide profile. */
    service_providers: { type: jsonb<readonly ServiceProvider[]>(), nullable: true },
    ...failure,
    verification: { type: jsonb<Verification>(), nullable: true },
    /** When the nightly verification is due; null for Teams. */
    verify_after: { ...instant, nullable: true },
    created_at: instant,
    updated_at: instant,
  },
  indices: [
    { name: 'login_workspaces_domain', columns: ['team_id', 'platform', 'domain'], unique: true },
    { name: 'login_workspaces_verify', columns: ['verify_after'] },
  ],
  checks: [
    { name: 'login_workspaces_platform', expression: platformIs },
    { name: 'login_workspaces_state', expression: `state in ('active', 'invalid')` },
    {
      name: 'login_workspaces_pair',
      expression: `(certificate is null) = (private_key is null) and (certificate is null) = (platform = 'teams')`,
    },
    {
      name: 'login_workspaces_next_pair',
      expression: '(next_certificate is null) = (next_private_key is null)',
    },
  ],
});

/** A domain (Meet) or tenant (Teams) whose users bots sign in as. */
export type WorkspaceRow = RowOf<typeof workspaces>;

export const logins = defineTable({
  name: 'logins',
  columns: {
    credential_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'logins_pkey' },
    workspace_id: {
      type: 'uuid',
      foreignKey: {
        target: 'login_workspaces',
        inverseSide: 'workspace_id',
        name: 'logins_workspace_fkey',
        onDelete: 'CASCADE',
      },
    },
    team_id: { type: 'uuid' },
    platform: { type: text<LoginPlatform>() },
    email: { type: 'text' },
    /** The email in lower case, unique per team and platform. */
    email_key: { type: 'text' },
    email_group: { type: 'text', nullable: true },
    name: { type: 'text' },
    /** Sealed; null for Meet. */
    password: sealed,
    ...failure,
    /** When it was last assigned to a bot. */
    last_used_at: { ...instant, nullable: true },
    created_at: instant,
    updated_at: instant,
  },
  indices: [
    { name: 'logins_email', columns: ['team_id', 'platform', 'email_key'], unique: true },
    { name: 'logins_workspace', columns: ['workspace_id'] },
  ],
  checks: [
    { name: 'logins_platform', expression: platformIs },
    { name: 'logins_state', expression: `state in ('active', 'invalid')` },
    { name: 'logins_password', expression: `(password is null) = (platform = 'meet')` },
  ],
});

/** One account of a workspace. */
export type LoginRow = RowOf<typeof logins>;

export const sessions = defineTable({
  name: 'login_sessions',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'login_sessions_pkey' },
    team_id: { type: 'uuid' },
    credential_id: {
      type: 'uuid',
      foreignKey: { target: 'logins', inverseSide: 'credential_id', name: 'login_sessions_login_fkey' },
    },
    /** The selection in the bot's settings, for another login after a failure. */
    selector: { type: jsonb<LoginSelector>() },
    /** Logins that failed for this bot. */
    failed_logins: { type: jsonb<readonly string[]>() },
    reserved_at: instant,
  },
  indices: [{ name: 'login_sessions_login', columns: ['credential_id'] }],
});

/** One bot's use of a login, from before its admission to its end. */
export type LoginSessionRow = RowOf<typeof sessions>;

const tickets = defineTable({
  name: 'sign_in_tickets',
  columns: {
    ticket_hash: { type: 'text', primary: true, primaryKeyConstraintName: 'sign_in_tickets_pkey' },
    bot_id: { type: 'uuid' },
    credential_id: { type: 'uuid' },
    expires_at: instant,
    used_at: { ...instant, nullable: true },
  },
  indices: [{ name: 'sign_in_tickets_expiry', columns: ['expires_at'] }],
});

const samlRequests = defineTable({
  name: 'saml_requests',
  columns: {
    /** SHA-256 of workspace and request ID. */
    request_hash: { type: 'text', primary: true, primaryKeyConstraintName: 'saml_requests_pkey' },
    received_at: instant,
  },
  indices: [{ name: 'saml_requests_received', columns: ['received_at'] }],
});

export const loginEntities = [workspaces, logins, sessions, tickets, samlRequests];
