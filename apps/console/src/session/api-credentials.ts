import type { Request } from 'express';
import { createRapporteurClient } from '@rapporteur/sdk';
import type { RapporteurClient } from '@rapporteur/sdk';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { userId } from '../oidc/user.ts';
import { sessionOf } from './session.routes.ts';
import type { Session } from './sessions.ts';

const apiMs = 15_000;

/**
 * How a session calls the API: with its key, or with a token of this service that names the user, the team and the
 * role.
 */
export interface ApiCredentials {
  headersFor(session: Session): Promise<Record<string, string>>;
  clientOf(request: Request): RapporteurClient;
}

export function createApiCredentials({
  auth,
  apiUrl,
}: {
  readonly auth: InternalAuth;
  readonly apiUrl: string;
}): ApiCredentials {
  const headersFor = async (session: Session): Promise<Record<string, string>> => {
    if (session.kind === 'key') return { 'x-service-api-key': session.apiKey };
    const { issuer, subject, name, teamId, role } = session;
    const token = await auth.sign({
      audience: 'api-gateway',
      teamId,
      user: { id: userId(issuer, subject), name, role: role === 'operator' ? 'admin' : role },
    });
    return { authorization: `Bearer ${token}` };
  };
  return {
    headersFor,
    clientOf: (request) => {
      const session = sessionOf(request);
      return createRapporteurClient({
        baseUrl: apiUrl,
        apiKey: 'session',
        timeoutMs: apiMs,
        fetch: async (input, init) => {
          const headers = new Headers(init?.headers);
          headers.delete('x-service-api-key');
          for (const [name, value] of Object.entries(await headersFor(session))) headers.set(name, value);
          return fetch(input, { ...init, headers });
        },
      });
    },
  };
}
