import { HeadObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { fail, Failure } from '@rapporteur/failures';
import { isRefusal } from './s3-delete.ts';
import type { Deletable, DeleteKeys } from './s3-delete.ts';
import { retentionOf } from './s3-object-lock.ts';

interface Place {
  readonly client: S3Client;
  readonly bucket: string;
  readonly prefix: string;
}

/** A version is deleted in one round; a second one finds what a bucket without versions until now kept. */
const mostRounds = 4;
const retentionsRead = 10;

/**
 * Deletes everything below a prefix with all earlier versions and delete markers.
 *
 * @param only this key alone
 * @returns the number of deleted versions; null when the server lists no versions for this key
 */
export async function deleteVersions(place: Place, deleteKeys: DeleteKeys, only?: string): Promise<number | null> {
  let deleted = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    let found = 0;
    for await (const page of versionPages(place)) {
      if (page === null) return null;
      const wanted = only === undefined ? page : page.filter(({ Key }) => Key === only);
      // Without versioning, a version is deleted with the permission to delete its object.
      const isVersioned = wanted.some(({ VersionId = 'null' }) => VersionId !== 'null');
      if (wanted.length > 0)
        await removeAll(place, deleteKeys, isVersioned ? wanted : wanted.map(({ Key }) => ({ Key })));
      found += wanted.length;
    }
    if (found === 0) return deleted;
    deleted += found;
  }
  throw fail('UNAVAILABLE', { message: 'The object store still lists objects that it confirmed as deleted.' });
}

async function removeAll(
  { client, bucket }: Place,
  deleteKeys: DeleteKeys,
  versions: readonly Deletable[],
): Promise<void> {
  try {
    await deleteKeys(versions);
  } catch (error) {
    // Some of several deletions may have been refused. MinIO refuses what is retained with status 400.
    const refusal = error instanceof Failure ? error.cause : error;
    if (!isRefusal(refusal) || versions.every(({ VersionId }) => VersionId === undefined)) throw error;
    const retention = await retainedBy(client, bucket, versions);
    const isDenied = (refusal as S3ServiceException).$metadata.httpStatusCode === 403;
    if (retention === null) throw isDenied ? keptVersions(error) : error;
    const message = `The bucket retains objects by ${retention}; they cannot be deleted before that ends.`;
    throw fail('UNAVAILABLE', { message, cause: error });
  }
}

/** The retention of the first version that is retained; the permission to read that may be missing. */
async function retainedBy(client: S3Client, bucket: string, versions: readonly Deletable[]): Promise<string | null> {
  for (const version of versions.slice(0, retentionsRead)) {
    const retention = await retentionOf(client, bucket, version);
    if (retention !== null) return retention;
  }
  return null;
}

/** Yields null, and nothing else, when the server refuses the request. */
async function* versionPages({ client, bucket: Bucket, prefix: Prefix }: Place): AsyncGenerator<Deletable[] | null> {
  let marker: { KeyMarker?: string; VersionIdMarker?: string } = {};
  for (;;) {
    const page = await client
      .send(new ListObjectVersionsCommand({ Bucket, Prefix, ...marker }))
      .catch((error: unknown) => {
        if (isRefusal(error)) return null;
        throw error;
      });
    if (page === null) return yield null;
    yield [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].flatMap(({ Key, VersionId }) =>
      Key === undefined ? [] : [{ Key, VersionId }],
    );
    if (page.IsTruncated !== true || page.NextKeyMarker === undefined) return;
    marker = {
      KeyMarker: page.NextKeyMarker,
      ...(page.NextVersionIdMarker === undefined ? {} : { VersionIdMarker: page.NextVersionIdMarker }),
    };
  }
}

/** Before the first deletion: afterwards only the versions are evidence. */
export async function refuseHiddenVersions(client: S3Client, Bucket: string, Key: string): Promise<void> {
  const { VersionId = 'null' } = await client.send(new HeadObjectCommand({ Bucket, Key }));
  if (VersionId !== 'null') throw keptVersions();
}

export function keptVersions(cause?: unknown): Error {
  return fail('UNAVAILABLE', {
    message:
      'The bucket keeps earlier versions of deleted objects. Permit s3:ListBucketVersions and s3:DeleteObjectVersion, end the versioning, or end the object lock that retains them.',
    ...(cause === undefined ? {} : { cause }),
  });
}
