import { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { fail } from '@rapporteur/failures';
import { assertKey } from '../keys.ts';
import type { DirectUploads } from '../store.ts';
import { partNumberOf } from './s3-multipart.ts';

const signedForAtMostSeconds = 7 * 24 * 3_600;
/** Headers that the signature covers, so that their sender cannot change them. */
const signableHeaders = new Set(['host', 'content-length', 'if-none-match']);

/** Signs with the key of `writer`, which need not read. */
export function createDirectUploads(writer: S3Client, Bucket: string): DirectUploads {
  return {
    signedPut: async (key, { bytes, contentType, expiresAtMs }) => {
      assertKey(key);
      const command = new PutObjectCommand({ Bucket, Key: key, ContentLength: bytes, IfNoneMatch: '*' });
      const unhoistableHeaders = new Set(['if-none-match']);
      const options = { expiresIn: secondsUntil(expiresAtMs), signableHeaders, unhoistableHeaders };
      const url = await getSignedUrl(writer, command, options);
      const headers = { 'content-length': String(bytes), 'content-type': contentType, 'if-none-match': '*' };
      return { method: 'PUT', url, headers };
    },
    signedPart: async (key, upload, part, { bytes, expiresAtMs }) => {
      assertKey(key);
      const PartNumber = partNumberOf(part);
      const command = new UploadPartCommand({ Bucket, Key: key, UploadId: upload, PartNumber, ContentLength: bytes });
      const url = await getSignedUrl(writer, command, { expiresIn: secondsUntil(expiresAtMs), signableHeaders });
      return { method: 'PUT', url, headers: { 'content-length': String(bytes) } };
    },
  };
}

function secondsUntil(expiresAtMs: number): number {
  const seconds = Math.floor((expiresAtMs - Date.now()) / 1_000);
  if (seconds >= 1 && seconds <= signedForAtMostSeconds) return seconds;
  throw fail('VALIDATION', { message: 'A signed URL lives for at least 1 second and at most 7 days.' });
}
