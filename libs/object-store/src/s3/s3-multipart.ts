import { CreateMultipartUploadCommand, ListPartsCommand } from '@aws-sdk/client-s3';
import type { Part } from '@aws-sdk/client-s3';
import { fail } from '@rapporteur/failures';
import { gatherPart, publishThroughGuard } from '../body.ts';
import { multipartPartBytesMin } from '../store.ts';
import type { CompleteMultipartOptions, MultipartPart, ObjectBody, UploadPartOptions } from '../store.ts';
import { isTransient } from './s3-failures.ts';
import { abortUpload, completeUpload, sendPart } from './s3-upload.ts';
import type { Target } from './s3-upload.ts';

export interface MultipartTarget extends Target {
  readonly upload: string;
}

/** S3 joins parts in the order of their numbers, whatever the order of their upload. */
const headNumber = 1;
const tailNumber = 10_000;

/** Throws VALIDATION for a part number that is out of range. */
export function partNumberOf(part: MultipartPart): number {
  if (part === 'head') return headNumber;
  if (part === 'tail') return tailNumber;
  const number = headNumber + part;
  if (part < 1 || number >= tailNumber)
    throw fail('VALIDATION', { message: 'There is no such part.', details: 'part' });
  return number;
}

export async function startUpload({ client, bucket, key }: Target, contentType: string): Promise<string> {
  const created = await client.send(
    new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: contentType }),
  );
  return created.UploadId ?? '';
}

export async function putPart(
  target: MultipartTarget,
  part: MultipartPart,
  put: { body: ObjectBody } & UploadPartOptions,
): Promise<void> {
  const number = partNumberOf(part);
  await sendPart(target, target.upload, { number, bytes: await gatherPart(put) });
}

export async function finishUpload(target: MultipartTarget, options: CompleteMultipartOptions): Promise<void> {
  const found = await partsOf(target);
  const wanted = [
    headNumber,
    ...Array.from({ length: options.parts }, (_, index) => partNumberOf(index + 1)),
    ...(options.tail ? [tailNumber] : []),
  ];
  const isWhole =
    found.length === wanted.length && wanted.every((number, index) => found[index]?.PartNumber === number);
  const tooShort = found.slice(0, -1).some(({ Size }) => (Size ?? 0) < multipartPartBytesMin);
  const lastTooShort = !options.tail && options.parts > 0 && (found.at(-1)?.Size ?? 0) < multipartPartBytesMin;
  if (!isWhole || (options.parts > 0 && (tooShort || lastTooShort)))
    throw fail('VALIDATION', { message: 'Parts of the object are missing or too short.', details: 'parts' });
  const Parts = found.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
  const bytes = found.reduce((sum, { Size = 0 }) => sum + Size, 0);
  try {
    await publishThroughGuard(options, async () => {
      await completeUpload(target, { UploadId: target.upload, MultipartUpload: { Parts } }, bytes);
    });
  } catch (error) {
    if (!isTransient(error)) await dropUpload(target).catch(() => undefined);
    throw error;
  }
}

async function partsOf({ reader, bucket, key, upload }: MultipartTarget): Promise<Part[]> {
  const parts: Part[] = [];
  for (let marker: string | undefined; ;) {
    const page = await reader.send(
      new ListPartsCommand({
        Bucket: bucket,
        Key: key,
        UploadId: upload,
        ...(marker === undefined ? {} : { PartNumberMarker: marker }),
      }),
    );
    parts.push(...(page.Parts ?? []));
    if (page.IsTruncated !== true || page.NextPartNumberMarker === undefined) return parts;
    marker = page.NextPartNumberMarker;
  }
}

export async function dropUpload(target: MultipartTarget): Promise<void> {
  try {
    await abortUpload(target, target.upload);
  } catch (error) {
    if ((error as Error).name !== 'NoSuchUpload') throw error;
  }
}
