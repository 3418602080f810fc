import { internalCalls } from '@rapporteur/contracts';
import { createClient } from '@rapporteur/service-runtime';
import type { InternalAuth, InternalClient } from '@rapporteur/service-runtime';

const { spilledObjects: _, ...storageCalls } = internalCalls.storage;

/** Clients of other services. All calls throw UNAVAILABLE without a valid response. */
export interface ServiceClients {
  readonly storage: StorageClient;
  /** Null: not deployed. */
  readonly credentials: CredentialClient | null;
  /** Null: not deployed. */
  readonly logins: LoginClient | null;
}

export type StorageClient = InternalClient<typeof storageCalls>;
export type CredentialClient = InternalClient<typeof internalCalls.credentials>;
export type LoginClient = InternalClient<typeof internalCalls.logins>;
export type UploadGrant = Awaited<ReturnType<StorageClient['grantUpload']>>;

interface ServiceAddresses {
  readonly storageUrl: string;
  readonly ssoIdpUrl?: string | undefined;
}

export function createServiceClients(auth: InternalAuth, { storageUrl, ssoIdpUrl }: ServiceAddresses): ServiceClients {
  const away = (what: string) => `${what} is not reachable right now. Try again in a moment.`;
  const unreachable = away('The storage of recordings');
  const storage = createClient(storageCalls, { auth, service: 'storage-config', baseUrl: storageUrl, unreachable });
  if (ssoIdpUrl === undefined) return { storage, credentials: null, logins: null };
  const sso = { auth, service: 'sso-idp', baseUrl: ssoIdpUrl };
  return {
    storage,
    credentials: createClient(internalCalls.credentials, {
      ...sso,
      unreachable: away('The service that keeps Zoom credentials'),
    }),
    logins: createClient(internalCalls.logins, { ...sso, unreachable: away('The service that keeps logins') }),
  };
}
