import type { LoginPlatform, LoginSelector } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';

interface LoginSettings {
  readonly credential_id?: string | undefined;
  readonly email_group?: string | undefined;
  readonly fallback?: 'fail' | 'anonymous' | undefined;
}

/** The members of a create body that select a stored login. */
export interface LoginFields {
  readonly meet_config?: LoginSettings | null;
  readonly teams_config?: LoginSettings | null;
}

export interface WantedLogin {
  readonly field: `${LoginPlatform}_config`;
  readonly selector: LoginSelector;
  readonly fallback: 'fail' | 'anonymous';
}

/** The stored login that these settings select; null: the bot joins as a guest. */
export function wantedLogin({ meet_config: meet = null, teams_config: teams = null }: LoginFields): WantedLogin | null {
  const config = meet ?? teams;
  if (config === null) return null;
  const { credential_id: credentialId = null, email_group: emailGroup = null, fallback = 'fail' } = config;
  // Without either, any login of the team is used.
  const group = emailGroup ?? (credentialId === null ? '' : null);
  const platform = meet === null ? 'teams' : 'meet';
  return { field: `${platform}_config`, selector: { platform, credentialId, emailGroup: group }, fallback };
}

export function loginUnavailable({ field }: Pick<WantedLogin, 'field'>, why: string): Failure {
  const code = field === 'meet_config' ? 'MEET_LOGIN_UNAVAILABLE' : 'TEAMS_LOGIN_UNAVAILABLE';
  const message = `${why} Set ${field}.fallback to anonymous, or leave ${field} out.`;
  return fail(code, { message, details: field });
}
