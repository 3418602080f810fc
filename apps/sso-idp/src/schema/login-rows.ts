export type LoginPlatform = 'meet' | 'teams';
export type LoginState = 'active' | 'invalid';
export type Extra = Record<string, unknown> | null;

/** Why a record is invalid, or what failed last; all null while nothing did. */
interface FailureColumns {
  readonly state: LoginState;
  readonly failure_data: FailureData | null;
  readonly last_error_message: string | null;
  readonly last_error_at: Date | null;
}

/** The sign-in that made a workspace or login invalid. Never an assertion, never a secret. */
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

/** A domain (Meet) or tenant (Teams) whose users bots sign in as. */
export interface WorkspaceRow extends FailureColumns {
  readonly workspace_id: string;
  readonly team_id: string;
  readonly platform: LoginPlatform;
  readonly domain: string;
  readonly name: string;
  /** Sealed, as the three below; all null for Teams. */
  readonly certificate: Buffer | null;
  readonly private_key: Buffer | null;
  /** The pair that a rotation brings, until the domain is known to accept it. */
  readonly next_certificate: Buffer | null;
  readonly next_private_key: Buffer | null;
  /** Null: those of Google's organization-wide profile. */
  readonly service_providers: readonly ServiceProvider[] | null;
  readonly extra: Extra;
  readonly verification: Verification | null;
  /** When the nightly verification is due; null for Teams. */
  readonly verify_after: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** One account of a workspace. */
export interface LoginRow extends FailureColumns {
  readonly credential_id: string;
  readonly workspace_id: string;
  readonly team_id: string;
  readonly platform: LoginPlatform;
  readonly email: string;
  /** The email in lower case, unique per team and platform. */
  readonly email_key: string;
  readonly email_group: string | null;
  readonly name: string;
  /** Sealed; null for Meet. */
  readonly password: Buffer | null;
  readonly extra: Extra;
  /** When it was last assigned to a bot. */
  readonly last_used_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** One bot's use of a login, from before its admission to its end. */
export interface LoginSessionRow {
  readonly bot_id: string;
  readonly team_id: string;
  readonly credential_id: string;
  /** What the bot's settings select, for choosing another login after a failure. */
  readonly selector: LoginSelector;
  /** Logins that failed for this bot. */
  readonly failed_logins: readonly string[];
  readonly reserved_at: Date;
}

/** Members of `meet_config` and `teams_config`; the group goes before the id. */
export interface LoginSelector {
  readonly platform: LoginPlatform;
  readonly credentialId: string | null;
  /** Empty: any login of the team. */
  readonly emailGroup: string | null;
}

export interface SignInTicketRow {
  readonly ticket_hash: string;
  readonly bot_id: string;
  readonly credential_id: string;
  readonly expires_at: Date;
  readonly used_at: Date | null;
}

export interface SamlRequestRow {
  /** SHA-256 of workspace and request ID. */
  readonly request_hash: string;
  readonly received_at: Date;
}
