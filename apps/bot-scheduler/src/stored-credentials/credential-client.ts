import type { z } from 'zod';
import { credentialStanding, internalRoutes, joinTokenResult } from '@rapporteur/contracts';
import type { CredentialChoice, CredentialStanding, JoinTokenOrder, JoinTokenResult } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** What this service asks of sso-idp about credentials of the first platform. Both throw UNAVAILABLE when it does not answer as agreed. */
export interface CredentialClient {
  /** Null: the team has no such credential. */
  standing(choice: CredentialChoice): Promise<CredentialStanding>;
  joinToken(order: JoinTokenOrder): Promise<JoinTokenResult>;
}

const standingMs = 5_000;
/** It asks the platform, more than once if it must. */
const tokenMs = 22_000;

export function createCredentialClient(auth: InternalAuth, baseUrl: string): CredentialClient {
  const ask = async <T>(path: string, body: unknown, reply: z.ZodType<T>, timeoutMs: number): Promise<T> => {
    try {
      const response = await auth.fetch('sso-idp', new URL(path, baseUrl).href, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
      });
      if (!response.ok) throw new Error(`sso-idp answered ${response.status} to ${path}.`);
      return reply.parse(await response.json());
    } catch (error) {
      throw fail('UNAVAILABLE', {
        message: 'The service that keeps Zoom credentials is not reachable right now. Try again in a moment.',
        cause: error,
      });
    }
  };
  return {
    standing: async (choice) =>
      (await ask(internalRoutes.credentialStanding, choice, credentialStanding, standingMs)).credential,
    joinToken: (order) => ask(internalRoutes.joinTokens, order, joinTokenResult, tokenMs),
  };
}
