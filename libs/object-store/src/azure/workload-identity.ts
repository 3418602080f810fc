import { readFile } from 'node:fs/promises';
import type { newPipeline } from '@azure/storage-blob';
import { fail } from '@rapporteur/failures';

/** A credential of the SDK that gives tokens. */
type TokenCredential = Extract<Parameters<typeof newPipeline>[0], { getToken: unknown }>;

/** What the webhook of Microsoft Entra Workload ID writes into the pod. */
export interface WorkloadIdentity {
  readonly tenantId: string;
  readonly clientId: string;
  /** File of the ServiceAccount's token. The kubelet replaces it. */
  readonly tokenFile: string;
  /** `https://login.microsoftonline.com/`, or that of another cloud. */
  readonly authority: string;
}

const timeoutMs = 10_000;

/**
 * Exchanges the token of the ServiceAccount for one of the storage service: the OAuth client credentials grant with a
 * client assertion. The SDK keeps the token and requests the next one before it expires.
 */
export function workloadIdentityCredential(identity: WorkloadIdentity): TokenCredential {
  const { tenantId, clientId, tokenFile, authority } = identity;
  const url = new URL(`${encodeURIComponent(tenantId)}/oauth2/v2.0/token`, authority);
  const exchange = async (scope: string) => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: (await readFile(tokenFile, 'utf8')).trim(),
    });
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, reply: (await response.json()) as Record<string, unknown> };
  };
  return {
    getToken: async (scopes) => {
      const { status, reply } = await exchange([scopes].flat().join(' ')).catch((cause: unknown) => {
        throw fail('UNAVAILABLE', { message: 'Microsoft Entra ID does not respond as it should.', cause });
      });
      const { access_token: token, expires_in: seconds, error } = reply;
      if (status === 200 && typeof token === 'string' && typeof seconds === 'number')
        return { token, expiresOnTimestamp: Date.now() + seconds * 1_000 };
      const reason = typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? `, ${error}` : '';
      const message = `Microsoft Entra ID refuses the identity of this pod (HTTP ${status}${reason}).`;
      throw fail('UNAVAILABLE', { message });
    },
  };
}
