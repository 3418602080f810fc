import type { CredentialChoice } from '@rapporteur/contracts';

/** The members of `alpha_config` that select a stored credential. */
export interface CredentialFields {
  readonly credential_id?: string | undefined;
  readonly credential_user_id?: string | undefined;
}

/** The stored credential of the team that these settings select, and the selecting field; null: none. */
export function chosenCredential(
  teamId: string,
  config: CredentialFields | null | undefined,
): { readonly field: keyof CredentialFields; readonly choice: CredentialChoice } | null {
  const { credential_id: credentialId, credential_user_id: userId } = config ?? {};
  if (credentialId !== undefined) return { field: 'credential_id', choice: { teamId, credentialId } };
  return userId === undefined ? null : { field: 'credential_user_id', choice: { teamId, userId } };
}
