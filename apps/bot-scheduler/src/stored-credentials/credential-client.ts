import { credentialStatus, internalRoutes, joinTokenResult } from '@rapporteur/contracts';
import type { CredentialChoice, CredentialStatus, JoinTokenCommand, JoinTokenResult } from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** What this service asks of sso-idp about Zoom credentials. Both throw UNAVAILABLE when it does not respond as agreed. */
export interface CredentialClient {
  /** Null: the team has no such credential. */
  status(choice: CredentialChoice): Promise<CredentialStatus>;
  joinToken(order: JoinTokenCommand): Promise<JoinTokenResult>;
}

/** It asks the platform, more than once if it must. */
const tokenMs = 22_000;

export function createCredentialClient(auth: InternalAuth, baseUrl: string): CredentialClient {
  const unreachable = 'The service that keeps Zoom credentials is not reachable right now. Try again in a moment.';
  const sendRequest = createRequestSender({ auth, service: 'sso-idp', baseUrl, unreachable });
  return {
    status: async (choice) =>
      (await sendRequest({ path: internalRoutes.credentialStatus, body: choice, reply: credentialStatus })).credential,
    joinToken: (order) =>
      sendRequest({ path: internalRoutes.joinTokens, body: order, reply: joinTokenResult, timeoutMs: tokenMs }),
  };
}
