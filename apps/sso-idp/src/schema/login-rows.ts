import type { RowOf } from '@rapporteur/database';
import type { logins, sessions, workspaces } from './login-entities.ts';

export type LoginPlatform = 'meet' | 'teams';
export type LoginState = 'active' | 'invalid';
export type Extra = Record<string, unknown> | null;

/** Why a record is invalid, or the last failure; all null without a failure. */
interface FailureColumns {
  readonly state: LoginState;
  readonly failure_data: FailureData | null;
  readonly extra: Extra;
}

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

/** A domain (Meet) or tenant (Teams) whose users bots sign in as. */
export type WorkspaceRow = RowOf<
  typeof workspaces,
  FailureColumns & {
    platform: LoginPlatform;
    service_providers: readonly ServiceProvider[] | null;
    verification: Verification | null;
  }
>;

/** One account of a workspace. */
export type LoginRow = RowOf<typeof logins, FailureColumns & { platform: LoginPlatform }>;

/** One bot's use of a login, from before its admission to its end. */
export type LoginSessionRow = RowOf<typeof sessions, { selector: LoginSelector; failed_logins: readonly string[] }>;
