import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { CreateBotBody } from '../admission/create-bot-body.ts';
import type { AlphaAccess } from '../admission/alpha-access.ts';
import { chosenCredential } from './chosen-credential.ts';

/**
 * What stands against the stored credential that a bot is to join with, as the failure to answer with, or null. A bot that
 * joins `later` needs the credential to exist; its state, and who the user's credential is, are looked at when it joins.
 * Throws UNAVAILABLE when the service that keeps credentials does not answer.
 */
export async function findCredentialRefusal(
  access: AlphaAccess | undefined,
  teamId: string,
  { alpha_config }: Pick<CreateBotBody, 'alpha_config'>,
  when: 'now' | 'later',
): Promise<Failure | null> {
  const chosen = chosenCredential(teamId, alpha_config);
  const credentials = access?.credentials ?? null;
  if (chosen === null || credentials === null) return null;
  const { field, choice } = chosen;
  if (when === 'later' && field === 'credential_user_id') return null;
  const standing = await credentials.standing(choice);
  if (standing === null) return unusable(field, missing[field]);
  if (when === 'later' || standing.state === 'active') return null;
  const why = standing.lastError === null ? '' : ` ${standing.lastError}`;
  return unusable(
    field,
    `The stored Zoom credential ${standing.credentialId} is invalid.${why} PATCH /v2/zoom-credentials/{credential_id} takes the new code.`,
  );
}

const missing = {
  credential_id: 'Your team has no stored Zoom credential with this id. GET /v2/zoom-credentials lists those it has.',
  credential_user_id:
    'Your team has no stored Zoom credential of this user. GET /v2/zoom-credentials lists those it has, with their zoom_user_id.',
} as const;

function unusable(field: string, message: string): Failure {
  return fail('CREDENTIAL_UNUSABLE', { message, details: `/body/alpha_config/${field}` });
}
