import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, ListPartsCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
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

async function* openUploads(
  client: S3Client,
  place: { readonly Bucket: string; readonly Prefix: string },
): AsyncGenerator<{ upload: Upload; startedAtMs: number }> {
  let marker: { KeyMarker?: string; UploadIdMarker?: string } = {};
  for (;;) {
    const page = await client.send(new ListMultipartUploadsCommand({ ...place, ...marker }));
    for (const found of page.Uploads ?? []) {
      if (found.Key === undefined || found.UploadId === undefined) continue;
      const upload = { Bucket: place.Bucket, Key: found.Key, UploadId: found.UploadId };
      // Of unknown age: ended only where its age does not matter.
      yield { upload, startedAtMs: found.Initiated?.getTime() ?? Infinity };
    }
    if (page.IsTruncated !== true || page.NextKeyMarker === undefined) return;
    marker = {
      KeyMarker: page.NextKeyMarker,
      ...(page.NextUploadIdMarker === undefined ? {} : { UploadIdMarker: page.NextUploadIdMarker }),
    };
  }
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
