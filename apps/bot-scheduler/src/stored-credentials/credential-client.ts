import { credentialStanding, internalRoutes, joinTokenResult } from '@rapporteur/contracts';
import type { CredentialChoice, CredentialStanding, JoinTokenOrder, JoinTokenResult } from '@rapporteur/contracts';
import { createAsk } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** What this service asks of sso-idp about credentials of the first platform. Both throw UNAVAILABLE when it does not answer as agreed. */
export interface CredentialClient {
  /** Null: the team has no such credential. */
  standing(choice: CredentialChoice): Promise<CredentialStanding>;
  joinToken(order: JoinTokenOrder): Promise<JoinTokenResult>;
}

/** It asks the platform, more than once if it must. */
const tokenMs = 22_000;

export function createCredentialClient(auth: InternalAuth, baseUrl: string): CredentialClient {
  const unreachable = 'The service that keeps Zoom credentials is not reachable right now. Try again in a moment.';
  const ask = createAsk({ auth, service: 'sso-idp', baseUrl, unreachable });
  return {
    standing: async (choice) =>
      (await ask({ path: internalRoutes.credentialStanding, body: choice, reply: credentialStanding })).credential,
    joinToken: (order) =>
      ask({ path: internalRoutes.joinTokens, body: order, reply: joinTokenResult, timeoutMs: tokenMs }),
  };
}
