import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { BotPlace } from '../schema/bot-id.ts';
import type { LoginClient } from '../service-clients.ts';
import { loginUnavailable, wantedLogin } from './wanted-login.ts';
import type { LoginFields } from './wanted-login.ts';

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
