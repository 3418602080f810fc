import { loginPlatforms } from '@rapporteur/contracts';
import type { LoginPlatform, LoginSelector, RunnerConfiguration } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import type { BotPlace } from '../schema/context.ts';
import type { LoginClient } from '../service-clients.ts';

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

export interface ReservedLogin {
  /** Null: the bot joins as a guest. */
  readonly login: RunnerConfiguration['login'];
  /** True: no login was available, and the bot joins without one, as its fallback allows. */
  readonly anonymousFallback: boolean;
}

/**
 * Reserves a login for a bot that is about to be created. sso-idp releases it when no bot with this id is created.
 * @throws Failure MEET_LOGIN_UNAVAILABLE or TEAMS_LOGIN_UNAVAILABLE as the bot's fallback requires, UNAVAILABLE
 */
export async function reserveLogin(
  logins: Pick<LoginClient, 'reserve'> | null,
  { botId, teamId }: BotPlace,
  body: LoginFields,
): Promise<ReservedLogin> {
  const wanted = wantedLogin(body);
  if (wanted === null) return { login: null, anonymousFallback: false };
  const reply =
    logins === null
      ? { outcome: 'unavailable' as const, message: 'This deployment stores no logins.' }
      : await logins.reserve({ botId, teamId, selector: wanted.selector });
  if (reply.outcome === 'reserved') {
    const { platform } = wanted.selector;
    return { login: { platform, credentialId: reply.credentialId }, anonymousFallback: false };
  }
  if (wanted.fallback === 'anonymous') return { login: null, anonymousFallback: true };
  throw loginUnavailable(wanted, reply.message);
}
