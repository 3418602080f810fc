import type { Failure } from '@rapporteur/failures';
import { loginUnavailable, wantedLogin } from '../stored-logins/wanted-login.ts';
import type { CreateBotBody } from '../create-bot-body.ts';

/** Settings for a stored login in a deployment that stores none, as a failure, or null. */
export function findMissingLogins(body: CreateBotBody, storesLogins: boolean): Failure | null {
  const wanted = wantedLogin(body);
  if (storesLogins || wanted === null || wanted.fallback === 'anonymous') return null;
  return loginUnavailable(wanted, 'This deployment stores no logins.');
}
