import { createHash } from 'node:crypto';
import { DeleteObjectCommand, DeleteObjectsCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { mapConcurrently } from '@rapporteur/async';
import { fail } from '@rapporteur/failures';
import { isNoSuchKey } from './s3-failures.ts';

/** An object, or with `VersionId` one version of it. */
export interface Deletable {
  readonly Key: string;
  readonly VersionId?: string | undefined;
}

/** Deletes these, at most 1000. Resolves once the server has confirmed every one. */
export type DeleteKeys = (objects: readonly Deletable[]) => Promise<void>;

const singlesAtOnce = 8;

/**
 * Deletes all keys with one request, and unconfirmed ones with one request each. After a server confirmed none in one
 * request, only single requests are sent.
 */
export function createDeleteKeys(client: S3Client, Bucket: string): DeleteKeys {
  let usesOneRequest = true;
  return async (objects) => {
    const left = usesOneRequest && objects.length > 1 ? await deleteTogether(client, Bucket, objects) : objects;
    await deleteSingly(client, Bucket, left);
    if (objects.length > 1 && left.length === objects.length) usesOneRequest = false;
  };
}

/** @returns true when the bucket keeps the object as an earlier version, behind a delete marker */
export async function deleteKey(client: S3Client, Bucket: string, object: Deletable): Promise<boolean> {
  try {
    const { DeleteMarker } = await client.send(new DeleteObjectCommand({ Bucket, ...object }));
    return DeleteMarker === true && object.VersionId === undefined;
  } catch (error) {
    if (!isNoSuchKey(error) && (error as Error).name !== 'NoSuchVersion') throw error;
    return false;
  }
}

/** @returns those that the response does not confirm; all of them when the server refuses the request itself */
async function deleteTogether(
  client: S3Client,
  Bucket: string,
  objects: readonly Deletable[],
): Promise<readonly Deletable[]> {
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects: objects.map((one) => ({ ...one })) } });
  const place = { relation: 'after', toMiddleware: 'flexibleChecksumsMiddleware', name: 'md5OfDeletion' } as const;
  command.middlewareStack.addRelativeTo(sendMd5, place);
  try {
    const { Deleted, Errors } = await client.send(command);
    const absent = (Errors ?? []).filter(({ Code }) => Code === 'NoSuchKey' || Code === 'NoSuchVersion');
    const gone = new Set([...(Deleted ?? []), ...absent].map(nameOf));
    return objects.filter((one) => !gone.has(nameOf(one)));
  } catch (error) {
    if (isRefusal(error)) return objects;
    throw error;
  }
}

const nameOf = ({ Key, VersionId }: { Key?: string | undefined; VersionId?: string | undefined }): string =>
  JSON.stringify([Key, VersionId]);

/** The server does not support this kind of request, as opposed to a missing bucket, an overload or an outage. */
export function isRefusal(error: unknown): boolean {
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

async function deleteSingly(client: S3Client, bucket: string, objects: readonly Deletable[]): Promise<void> {
  const failures: unknown[] = [];
  await mapConcurrently(objects, singlesAtOnce, (one) =>
    deleteKey(client, bucket, one).catch((error: unknown) => failures.push(error)),
  );
  if (failures.length === 0) return;
  if (failures.length === objects.length) throw failures[0];
  const cause = failures[0];
  throw fail('UNAVAILABLE', {
    message: `The object store did not delete ${failures.length} of ${objects.length} objects.`,
    cause,
  });
}
