import { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { assertKey } from '../keys.ts';
import type { DirectUploads } from '../store.ts';
import { partNumberOf } from './s3-multipart.ts';
import { signedSeconds } from '../signed-seconds.ts';

/** Headers covered by the signature, so that the sender cannot change them. */
const signed = ['host', 'content-length', 'if-none-match'];

/**
 * Signs with the key of `writer`, which needs no permission to read.
 *
 * @param encryption headers that `writer` sends with every request that creates an object: the sender has to send them
 */
export function createDirectUploads(
  writer: S3Client,
  Bucket: string,
  encryption: Readonly<Record<string, string>>,
): DirectUploads {
  const signableHeaders = new Set([...signed, ...Object.keys(encryption)]);
  const unhoistableHeaders = new Set(['if-none-match', ...Object.keys(encryption)]);
  return {
    signedPut: async (key, { bytes, contentType, expiresAtMs }) => {
      assertKey(key);
      const length = bytes === undefined ? {} : { ContentLength: bytes };
      const command = new PutObjectCommand({ Bucket, Key: key, ...length, IfNoneMatch: '*' });
      const options = { expiresIn: signedSeconds(expiresAtMs), signableHeaders, unhoistableHeaders };
      const url = await getSignedUrl(writer, command, options);
      const headers = { ...lengthHeader(bytes), 'content-type': contentType, 'if-none-match': '*', ...encryption };
      return { method: 'PUT', url, headers };
    },
    signedPart: async (key, upload, part, { bytes, expiresAtMs }) => {
      assertKey(key);
      const PartNumber = partNumberOf(part);
      const length = bytes === undefined ? {} : { ContentLength: bytes };
      const command = new UploadPartCommand({ Bucket, Key: key, UploadId: upload, PartNumber, ...length });
      const url = await getSignedUrl(writer, command, { expiresIn: signedSeconds(expiresAtMs), signableHeaders });
      return { method: 'PUT', url, headers: lengthHeader(bytes) };
    },
  };
}

function lengthHeader(bytes: number | undefined): Record<string, string> {
  return bytes === undefined ? {} : { 'content-length': String(bytes) };
}
