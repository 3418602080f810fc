import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, ListPartsCommand } from '@aws-sdk/client-s3';
import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import type { SweepOptions } from '../store.ts';
import type { Target } from './s3-upload.ts';

interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}

/** Aborts multipart uploads below the prefixes whose start and last part are older than `idleMs`. */
export async function abortIdleUploads(
  { client, reader, bucket: Bucket }: Omit<Target, 'key'>,
  options: SweepOptions,
): Promise<number> {
  const idleSince = Date.now() - options.idleMs;
  let aborted = 0;
  for (const Prefix of options.prefixes) {
    for await (const { upload, startedAtMs } of openUploads(reader, { Bucket, Prefix })) {
      if (startedAtMs > idleSince || options.owns?.(upload.Key) === false) continue;
      if ((await lastPartAtMs(reader, upload)) > idleSince) continue;
      await client.send(new AbortMultipartUploadCommand({ ...upload }));
      aborted += 1;
    }
  }
  return aborted;
}

interface Place {
  readonly Bucket: string;
  readonly Prefix: string;
}

interface OpenUpload {
  readonly upload: Upload;
  readonly startedAtMs: number;
}

/**
 * The uploads below a prefix. MinIO lists with a prefix only those of the object with this very name, and without one all
 * of the bucket in one page (minio/minio 20989): where a prefix has none, the first page of the bucket is read too, if the
 * key may list it.
 */
async function* openUploads(client: S3Client, place: Place): AsyncGenerator<OpenUpload> {
  let marker: { KeyMarker?: string; UploadIdMarker?: string } = {};
  let isEmpty = true;
  for (;;) {
    const page = await client.send(new ListMultipartUploadsCommand({ ...place, ...marker }));
    for (const upload of uploadsOf(page, place)) {
      isEmpty = false;
      yield upload;
    }
    if (page.IsTruncated !== true || page.NextKeyMarker === undefined) break;
    marker = {
      KeyMarker: page.NextKeyMarker,
      ...(page.NextUploadIdMarker === undefined ? {} : { UploadIdMarker: page.NextUploadIdMarker }),
    };
  }
  if (!isEmpty || place.Prefix === '') return;
  const command = new ListMultipartUploadsCommand({ Bucket: place.Bucket });
  yield* uploadsOf(await client.send(command).catch(() => ({})), place);
}

function uploadsOf({ Uploads = [] }: Pick<ListMultipartUploadsCommandOutput, 'Uploads'>, place: Place) {
  return Uploads.flatMap(({ Key, UploadId, Initiated }): OpenUpload[] => {
    if (Key?.startsWith(place.Prefix) !== true || UploadId === undefined) return [];
    // An upload of unknown age is ended only where its age does not matter.
    return [{ upload: { Bucket: place.Bucket, Key, UploadId }, startedAtMs: Initiated?.getTime() ?? Infinity }];
  });
}

/** 0 when no part arrived, and when the upload ended in the meantime. */
async function lastPartAtMs(client: S3Client, upload: Upload): Promise<number> {
  let latest = 0;
  let marker: { PartNumberMarker?: string } = {};
  for (;;) {
    const page = await client.send(new ListPartsCommand({ ...upload, ...marker }));
    for (const part of page.Parts ?? []) latest = Math.max(latest, part.LastModified?.getTime() ?? 0);
    if (page.IsTruncated !== true || page.NextPartNumberMarker === undefined) return latest;
    marker = { PartNumberMarker: page.NextPartNumberMarker };
  }
}
