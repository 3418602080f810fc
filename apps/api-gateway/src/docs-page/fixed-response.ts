import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

interface FixedContent {
  readonly type: string;
  readonly body: Buffer;
  /** `max-age` for browsers, in seconds. */
  readonly maxAgeSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Prepared {
  readonly etag: string;
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** Smaller bodies are not compressed. */
const worthZipping = 1_024;

/** Serves fixed content: compressed where the client accepts it, 304 where the ETag matches. */
export function fixedResponse(read: () => FixedContent): RequestHandler {
  let content: FixedContent | undefined;
  let prepared: Prepared | undefined;
  return (request, response) => {
    content ??= read();
    prepared ??= prepare(content.body);
    response.set({
      'content-type': content.type,
      'cache-control': content.maxAgeSeconds === undefined ? 'no-cache' : `public, max-age=${content.maxAgeSeconds}`,
      etag: prepared.etag,
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...content.headers,
    });
    if (request.headers['if-none-match']?.includes(prepared.etag) === true) return void response.status(304).end();
    const isZipped = prepared.plain.byteLength > worthZipping && request.acceptsEncodings('gzip') === 'gzip';
    if (isZipped) response.set('content-encoding', 'gzip');
    response.send(isZipped ? prepared.zipped : prepared.plain);
  };
}

function prepare(plain: Buffer): Prepared {
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 24);
  // Weak: the compressed and the plain body share it.
  return { etag: `W/"${digest}"`, plain, zipped: gzipSync(plain) };
}
