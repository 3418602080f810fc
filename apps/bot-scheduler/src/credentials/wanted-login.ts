import { loginPlatforms } from '@rapporteur/contracts';
import type { LoginPlatform, LoginSelector } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';

interface LoginSettings {
  readonly credential_id?: string | undefined;
  readonly email_group?: string | undefined;
  readonly fallback?: 'fail' | 'anonymous' | undefined;
}

/** The members of a create body that select a stored login. */
export type LoginFields = { readonly [Field in `${LoginPlatform}_config`]?: LoginSettings | null };

export interface WantedLogin {
  readonly field: `${LoginPlatform}_config`;
  readonly selector: LoginSelector;
  readonly fallback: 'fail' | 'anonymous';
}

/** The stored login that these settings select; null: the bot joins as a guest. */
export function wantedLogin(body: LoginFields): WantedLogin | null {
  for (const platform of loginPlatforms) {
    const field = `${platform}_config` as const;
    const config = body[field] ?? null;
    if (config === null) continue;
    const { credential_id: credentialId = null, email_group: emailGroup = null, fallback = 'fail' } = config;
    // Without either, any login of the team is used.
    const group = emailGroup ?? (credentialId === null ? '' : null);
    return { field, selector: { platform, credentialId, emailGroup: group }, fallback };
  }
  return null;
}

export function loginUnavailable({ field }: Pick<WantedLogin, 'field'>, why: string): Failure {
  const code = field === 'meet_config' ? 'MEET_LOGIN_UNAVAILABLE' : 'TEAMS_LOGIN_UNAVAILABLE';
  const message = `${why} Set ${field}.fallback to anonymous, or leave ${field} out.`;
  return fail(code, { message, details: field });
}
