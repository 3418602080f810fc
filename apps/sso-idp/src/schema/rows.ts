/** A customer's Zoom app and, for type user, the consent of one of its users. */
export interface CredentialRow {
  readonly credential_id: string;
  readonly team_id: string;
  readonly name: string;
  readonly credential_type: CredentialType;
  readonly client_id: string;
  /** Sealed like the two tokens, each bound to team, credential and column; null once the credential is deleted. */
  readonly client_secret: Buffer | null;
  readonly refresh_token: Buffer | null;
  readonly access_token: Buffer | null;
  readonly access_token_expires_at: Date | null;
  readonly zoom_user_id: string | null;
  readonly zoom_account_id: string | null;
  readonly zoom_email: string | null;
  readonly zoom_display_name: string | null;
  readonly scopes: string | null;
  readonly state: CredentialState;
  readonly last_error_message: string | null;
  readonly last_error_at: Date | null;
  readonly extra: Record<string, unknown> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

export type CredentialType = 'app' | 'user';
export type CredentialState = 'active' | 'invalid';
