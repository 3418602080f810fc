import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { CompletedPart, CompleteMultipartUploadCommandInput, S3Client } from '@aws-sdk/client-s3';
import { fail } from '@rapporteur/failures';
import { measureBody, partBytes, partsOf, publishThroughGuard } from '../body.ts';
import type { MeasuredBody } from '../body.ts';
import { isNoSuchKey } from './s3-failures.ts';
import type { ObjectBody, PutOptions } from '../store.ts';

/** S3 permits at most 10 000 parts: 80 GiB an object. */
const partsAtMost = 10_000;
const abortDeadlineMs = 15_000;

export interface Target {
  /** Its key may write, and needs no permission to read. */
  readonly client: S3Client;
  /** Its key may read. */
  readonly reader: S3Client;
  readonly bucket: string;
  readonly key: string;
}

export interface Uploaded {
  readonly etag: string;
  readonly bytes: number;
  /** In the object's metadata; null when that was sent before the hash was complete. */
  readonly sha256: string | null;
}

/** Sends a body of up to one part as one request, a longer one as parts. At most two parts are in memory. */
export async function uploadBody(target: Target, body: ObjectBody, options: PutOptions): Promise<Uploaded> {
  const measured = measureBody(body, options);
  const parts = partsOf(measured.chunks);
  const first = await parts.next();
  const firstPart = first.done === true ? Buffer.alloc(0) : first.value;
  if (firstPart.byteLength < partBytes) return uploadWhole(target, firstPart, measured, options);
  return uploadInParts(target, { firstPart, rest: parts, measured }, options);
}

function sending(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64');
}

async function uploadWhole(
  target: Target,
  bytes: Buffer,
  measured: MeasuredBody,
  options: PutOptions,
): Promise<Uploaded> {
  const sha256 = measured.digest();
  let etag = '';
  await publishThroughGuard(options, async () => {
    if (options.ifAbsent === true) await refuseTaken(target);
    const response = await target.client.send(
      new PutObjectCommand({
        Bucket: target.bucket,
        Key: target.key,
        Body: bytes,
        ContentLength: bytes.byteLength,
        ContentMD5: md5(bytes),
        ContentType: options.contentType,
        Metadata: { sha256 },
        ...(options.ifAbsent === true ? { IfNoneMatch: '*' } : {}),
      }),
      sending(options.signal),
    );
    etag = response.ETag ?? '';
  });
  return { etag, bytes: bytes.byteLength, sha256 };
}

/** For servers that ignore the condition of a write (Google; older ones at completion): they have a short race left. */
async function refuseTaken({ reader, bucket, key }: Target): Promise<void> {
  const found = await reader.send(new HeadObjectCommand({ Bucket: bucket, Key: key })).catch((error: unknown) => {
    if (isNoSuchKey(error)) return null;
    throw error;
  });
  if (found !== null) throw fail('OBJECT_ALREADY_EXISTS');
}

interface PartedBody {
  readonly firstPart: Buffer;
  readonly rest: AsyncGenerator<Buffer>;
  readonly measured: MeasuredBody;
}

async function uploadInParts(target: Target, body: PartedBody, options: PutOptions): Promise<Uploaded> {
  const { client, reader, bucket: Bucket, key: Key } = target;
  const created = await client.send(
    new CreateMultipartUploadCommand({
      Bucket,
      Key,
      ContentType: options.contentType,
      ...(options.sha256 === undefined ? {} : { Metadata: { sha256: options.sha256 } }),
    }),
    sending(options.signal),
  );
  const UploadId = created.UploadId ?? '';
  try {
    const Parts = await sendParts(target, UploadId, body, options.signal);
    body.measured.digest();
    let etag = '';
    await publishThroughGuard(options, async () => {
      const condition = options.ifAbsent === true ? { IfNoneMatch: '*' } : {};
      if (options.ifAbsent === true) await refuseTaken(target);
      const request = { UploadId, MultipartUpload: { Parts }, ...condition };
      etag = await completeUpload(target, request, body.measured.bytes, options.signal);
      // radosgw 16 spells the field in a way that the SDK reads as empty.
      if (etag === '') etag = (await reader.send(new HeadObjectCommand({ Bucket, Key }))).ETag ?? '';
    });
    return { etag, bytes: body.measured.bytes, sha256: options.sha256 ?? null };
  } catch (error) {
    // An upload that cannot be aborted now is aborted by the sweep.
    await abortUpload(target, UploadId).catch(() => undefined);
    throw error;
  }
}

/**
 * Joins the parts. A server that lost its response has no such upload when the SDK repeats the request: then the
 * object itself, of exactly these bytes, is the confirmation.
 *
 * @returns its ETag, which may be empty
 */
export async function completeUpload(
  { client, reader, bucket: Bucket, key: Key }: Target,
  request: Pick<CompleteMultipartUploadCommandInput, 'UploadId' | 'MultipartUpload' | 'IfNoneMatch'>,
  bytes: number,
  signal?: AbortSignal,
): Promise<string> {
  try {
    const response = await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, ...request }),
      sending(signal),
    );
    return response.ETag ?? '';
  } catch (error) {
    const attempts = error instanceof S3ServiceException ? (error.$metadata.attempts ?? 1) : 1;
    if (attempts === 1 || (error as Error).name !== 'NoSuchUpload') throw error;
    const stored = await reader.send(new HeadObjectCommand({ Bucket, Key })).catch(() => null);
    if (stored?.ContentLength !== bytes) throw error;
    return stored.ETag ?? '';
  }
}

export async function sendPart(
  { client, bucket: Bucket, key: Key }: Target,
  UploadId: string,
  part: { readonly number: number; readonly bytes: Buffer; readonly signal?: AbortSignal | undefined },
): Promise<CompletedPart> {
  const { number: PartNumber, bytes } = part;
  const content = { Body: bytes, ContentLength: bytes.byteLength, ContentMD5: md5(bytes) };
  const response = await client.send(
    new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, ...content }),
    sending(part.signal),
  );
  return { PartNumber, ETag: response.ETag ?? '' };
}

export async function abortUpload({ client, bucket: Bucket, key: Key }: Target, UploadId: string): Promise<void> {
  await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), {
    abortSignal: AbortSignal.timeout(abortDeadlineMs),
  });
}

async function sendParts(
  target: Target,
  uploadId: string,
  body: PartedBody,
  signal: AbortSignal | undefined,
): Promise<CompletedPart[]> {
  const parts: CompletedPart[] = [];
  const send = async (bytes: Buffer) => {
    const PartNumber = parts.length + 1;
    if (PartNumber > partsAtMost)
      throw fail('BODY_TOO_LARGE', { message: `An object may have at most ${partBytes * partsAtMost} bytes.` });
    parts.push(await sendPart(target, uploadId, { number: PartNumber, bytes, signal }));
  };
  await send(body.firstPart);
  for await (const bytes of body.rest) await send(bytes);
  return parts;
}
