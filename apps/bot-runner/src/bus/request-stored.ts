import { joinTokenReply, runnerSubjects, signInResponse } from '@rapporteur/contracts';
import type { JoinTokenReply, JoinTokenRequest, SignInRequest, SignInResponse } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';

/** The part of the bus that requests a stored credential or login. */
export interface RequestBus {
  request(subject: string, body: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;
}

/** Longer than the scheduler's own timeouts for the platform and for the service that stores logins. */
const credentialMs = 25_000;
const signInMs = 15_000;

/** The result of the bot's stored credential for one join, or a message that states why there is none. */
export async function requestCredential(bus: RequestBus, request: JoinTokenRequest): Promise<JoinTokenReply> {
  const reply = bus.request(runnerSubjects.joinToken(request.botId), request, { timeoutMs: credentialMs });
  return await reply.then(joinTokenReply.parse).catch(refusedBy('the token'));
}

/** The data that the bot signs in with, or a message that states why there is none. */
export async function requestSignIn(bus: RequestBus, request: SignInRequest): Promise<SignInResponse> {
  const reply = bus.request(runnerSubjects.signIn(request.botId), request, { timeoutMs: signInMs });
  return await reply.then(signInResponse.parse).catch(refusedBy('a login'));
}

const refusedBy = (what: string) => (error: unknown) => {
  if (!(error instanceof Failure)) throw error;
  return { outcome: 'refused', message: `The service did not respond to the request for ${what}.` } as const;
};
