import { BlobSASPermissions, SASProtocol } from '@azure/storage-blob';
import type { BlobSASSignatureValues } from '@azure/storage-blob';
import { signedSeconds } from '../signed-seconds.ts';
import type { DirectUploads } from '../store.ts';
import type { AzureClient } from './azure-client.ts';

export interface Signature extends Pick<BlobSASSignatureValues, 'contentDisposition' | 'contentType'> {
  readonly expiresAtMs: number;
  /** `r`: read; `c`: write what does not exist yet. */
  readonly permission: 'r' | 'c';
}

/** A URL with a shared access signature for one blob. */
export async function signedUrl(
  { container, sign }: AzureClient,
  key: string,
  { expiresAtMs, permission, ...headers }: Signature,
): Promise<string> {
  const expiresOn = new Date(Date.now() + signedSeconds(expiresAtMs) * 1_000);
  const { url } = container.getBlobClient(key);
  const protocol = url.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp;
  const permissions = BlobSASPermissions.parse(permission);
  const { containerName } = container;
  return `${url}?${await sign({ ...headers, containerName, blobName: key, permissions, protocol, expiresOn })}`;
}

/**
 * A signature covers no headers and no length: the service takes what it is sent. One for a part would also permit to
 * replace the object.
 */
export function createDirectUploads(client: AzureClient, assertKey: (key: string) => void): DirectUploads {
  return {
    signedPut: async (key, { bytes, contentType, expiresAtMs }) => {
      assertKey(key);
      const url = await signedUrl(client, key, { expiresAtMs, permission: 'c' });
      const length: Record<string, string> = bytes === undefined ? {} : { 'content-length': String(bytes) };
      const headers = { ...length, 'content-type': contentType, 'x-ms-blob-type': 'BlockBlob', 'if-none-match': '*' };
      return { method: 'PUT', url, headers };
    },
    signedPart: () => Promise.resolve(null),
  };
}
