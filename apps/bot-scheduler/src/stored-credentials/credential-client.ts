import { credentialStatus, internalRoutes, joinTokenResult } from '@rapporteur/contracts';
import type { CredentialChoice, CredentialStatus, JoinTokenCommand, JoinTokenResult } from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** Client of sso-idp for Zoom credentials. Both calls throw UNAVAILABLE without a valid response. */
export interface CredentialClient {
  /** Null: the team has no such credential. */
  status(choice: CredentialChoice): Promise<CredentialStatus>;
  joinToken(order: JoinTokenCommand): Promise<JoinTokenResult>;
}

/** sso-idp sends requests to the platform, with retries. */
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
