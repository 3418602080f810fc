import type { IncomingHttpHeaders } from 'node:http';

/**
 * What the public record says about Google Cloud Storage by S3 requests with HMAC keys, where it differs from S3:
 *
 * - conditions of a write are ignored (`If-None-Match`), or refused at the creation of a multipart upload. Google's own
 *   condition is a header `x-goog-…`, which is refused beside those of S3: ExcessHeaderValues (Google's reference of
 *   XML headers; ClickHouse issue 115266; AutoMQ's notes on conditional writes).
 * - several keys are deleted by one request only sometimes: NotImplemented (supabase/storage 898, icechunk 2003).
 * - checksums of the SDKs, chunked signatures and a signed Accept-Encoding are refused (milvus-storage 480,
 *   aws-sdk-go-v2 1816).
 * - a deletion of what does not exist responds 404, takes the parameter `generation` for a version, and shows no delete
 *   marker: there is none; versions are listed in the form of S3 only on request (Google's reference of DELETE object
 *   and of lists).
 */
export interface GoogleCall {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** The code of an error; null for a request that Google accepts. */
export function refusalOfGoogle({ method, query, headers }: GoogleCall): string | null {
  const names = Object.keys(headers);
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/^x-goog-/) && has(/^x-amz-/)) return 'ExcessHeaderValues';
  const signed = /SignedHeaders=([^,]*)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const isChunked = headers['content-encoding']?.includes('aws-chunked') === true;
  if (isChunked || has(/^x-amz-(checksum-|sdk-checksum-|trailer$)/) || signed.includes('accept-encoding'))
    return 'SignatureDoesNotMatch';
  if (method !== 'POST') return null;
  const startsConditionally = query.has('uploads') && headers['if-none-match'] !== undefined;
  return query.has('delete') || startsConditionally ? 'NotImplemented' : null;
}

export function listsVersionsAsS3({ headers }: GoogleCall): boolean {
  return headers['x-amz-interop-list-objects-format'] === 'enabled';
}
