import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { CredentialChoice } from '@rapporteur/contracts';
import type { CreateBotBody } from '../schema/create-bot-body.ts';
import type { CredentialClient } from '../service-clients.ts';

/**
 * Why the stored credential of a bot cannot be used, as a failure, or null. For `later` a credential given by id must
 * exist; its state, and a credential given by user, are checked when the bot joins. Throws UNAVAILABLE when the service
 * that stores credentials does not respond.
 */
export async function findCredentialRefusal(
  access: { readonly credentials: Pick<CredentialClient, 'status'> | null } | undefined,
  teamId: string,
  { alpha_config }: Pick<CreateBotBody, 'alpha_config'>,
  when: 'now' | 'later',
): Promise<Failure | null> {
  const chosen = chosenCredential(teamId, alpha_config);
  const credentials = access?.credentials ?? null;
  if (chosen === null || credentials === null) return null;
  const { field, choice } = chosen;
  if (when === 'later' && field === 'credential_user_id') return null;
  const { credential: status } = await credentials.status(choice);
  if (status === null) return unusable(field, missing[field]);
  if (when === 'later' || status.state === 'active') return null;
  const why = status.lastError === null ? '' : ` ${status.lastError}`;
  return unusable(
    field,
    `The stored Zoom credential ${status.credentialId} is invalid.${why} PATCH /v2/zoom-credentials/{credential_id} takes the new code.`,
  );
}

const missing = {
  credential_id: 'Your team has no stored Zoom credential with this id. GET /v2/zoom-credentials lists those it has.',
  credential_user_id:
    'Your team has no stored Zoom credential of this user. GET /v2/zoom-credentials lists those it has, with their zoom_user_id.',
} as const;

function unusable(field: string, message: string): Failure {
  return fail('CREDENTIAL_UNUSABLE', { message, details: `alpha_config.${field}` });
}

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
