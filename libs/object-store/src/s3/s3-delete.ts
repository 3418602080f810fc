import { createHash } from 'node:crypto';
import { DeleteObjectCommand, DeleteObjectsCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { mapConcurrently } from '@rapporteur/async';
import { fail } from '@rapporteur/failures';
import { isNoSuchKey } from './s3-failures.ts';

/** Deletes these keys, at most 1000. Resolves once the server has confirmed every one. */
export type DeleteKeys = (keys: readonly string[]) => Promise<void>;

const singlesAtOnce = 8;

/**
 * Deletes all keys with one request, and unconfirmed ones with one request each. After a server confirmed none in one
 * request, only single requests are sent.
 */
export function createDeleteKeys(client: S3Client, Bucket: string): DeleteKeys {
  let usesOneRequest = true;
  return async (keys) => {
    const left = usesOneRequest && keys.length > 1 ? await deleteTogether(client, Bucket, keys) : keys;
    await deleteSingly(client, Bucket, left);
    if (keys.length > 1 && left.length === keys.length) usesOneRequest = false;
  };
}

export async function deleteKey(client: S3Client, Bucket: string, Key: string): Promise<void> {
  try {
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
  } catch (error) {
    if (!isNoSuchKey(error)) throw error;
  }
}

/** @returns the keys that the response does not confirm; all of them when the server refuses the request itself */
async function deleteTogether(client: S3Client, Bucket: string, keys: readonly string[]): Promise<readonly string[]> {
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects: keys.map((Key) => ({ Key })) } });
  const place = { relation: 'after', toMiddleware: 'flexibleChecksumsMiddleware', name: 'md5OfDeletion' } as const;
  command.middlewareStack.addRelativeTo(sendMd5, place);
  try {
    const { Deleted, Errors } = await client.send(command);
    const absent = (Errors ?? []).filter(({ Code }) => Code === 'NoSuchKey');
    const gone = new Set([...(Deleted ?? []), ...absent].map(({ Key }) => Key));
    return keys.filter((key) => !gone.has(key));
  } catch (error) {
    if (isRefusal(error)) return keys;
    throw error;
  }
}

/** The server does not support this kind of request, as opposed to a missing bucket, an overload or an outage. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  const status = error.$metadata.httpStatusCode ?? 0;
  return status === 501 || (status >= 400 && status < 500 && ![404, 408, 429].includes(status));
}

/** Every server accepts Content-MD5 here; many refuse or ignore the newer checksum headers of the SDK. */
const sendMd5 =
  <Sent extends object, Received>(next: (args: Sent) => Promise<Received>) =>
  (args: Sent): Promise<Received> => {
    const { request } = args as { request: { headers: Record<string, string>; body?: string | Uint8Array } };
    for (const name of Object.keys(request.headers))
      if (/^x-amz-(sdk-)?checksum-/i.test(name)) delete request.headers[name];
    const md5 = createHash('md5').update(request.body ?? '');
    request.headers['content-md5'] = md5.digest('base64');
    return next(args);
  };

async function deleteSingly(client: S3Client, bucket: string, keys: readonly string[]): Promise<void> {
  const failures: unknown[] = [];
  await mapConcurrently(keys, singlesAtOnce, (key) =>
    deleteKey(client, bucket, key).catch((error: unknown) => failures.push(error)),
  );
  if (failures.length === 0) return;
  if (failures.length === keys.length) throw failures[0];
  const cause = failures[0];
  throw fail('UNAVAILABLE', {
    message: `The object store did not delete ${failures.length} of ${keys.length} objects.`,
    cause,
  });
}
