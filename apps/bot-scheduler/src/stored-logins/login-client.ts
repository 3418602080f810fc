import { internalRoutes, loginAvailability, reserveLoginReply, signInReply } from '@rapporteur/contracts';
import type {
  LoginAvailability,
  LoginSelector,
  ReserveLoginReply,
  ReserveLoginRequest,
  SignInCommand,
  SignInReply,
} from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { z } from 'zod';
import type { BotPlace } from '../lifecycle/bots.store.ts';

/** Client of sso-idp for stored logins. All calls throw UNAVAILABLE without a valid response. */
export interface LoginClient {
  reserve(request: ReserveLoginRequest): Promise<ReserveLoginReply>;
  availability(teamId: string, selector: LoginSelector): Promise<LoginAvailability>;
  release(bot: BotPlace): Promise<void>;
  signIn(order: SignInCommand): Promise<SignInReply>;
}

export function createLoginClient(auth: InternalAuth, baseUrl: string): LoginClient {
  const unreachable = 'The service that keeps logins is not reachable right now. Try again in a moment.';
  const sendRequest = createRequestSender({ auth, service: 'sso-idp', baseUrl, unreachable });
  return {
    reserve: (body) =>
      sendRequest({ path: internalRoutes.reserveLogin, body, reply: reserveLoginReply, timeoutMs: 10_000 }),
    availability: (teamId, selector) =>
      sendRequest({ path: internalRoutes.loginAvailability, body: { teamId, selector }, reply: loginAvailability }),
    release: async ({ botId, teamId }) => {
      await sendRequest({ path: internalRoutes.releaseLogin, body: { botId, teamId }, reply: z.object({}) });
    },
    signIn: (body) => sendRequest({ path: internalRoutes.signIn, body, reply: signInReply, timeoutMs: 10_000 }),
  };
}
