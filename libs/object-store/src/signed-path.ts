import { createHmac, timingSafeEqual } from 'node:crypto';
import { fail } from '@rapporteur/failures';
import { assertKey, decodeKey, encodeKey } from './keys.ts';
import type { SignedGetOptions } from './store.ts';

/** The permission of a valid signed path. */
export interface SignedPath {
  readonly key: string;
  readonly expiresAtMs: number;
  readonly downloadName: string | null;
  readonly contentType: string | null;
}

/** The signature covers reading (GET and HEAD alike), the key, the second of expiry and both overrides. */
function signatureOf(secret: string, path: SignedPath): Buffer {
  const text = JSON.stringify(['GET', path.key, path.expiresAtMs / 1_000, path.downloadName, path.contentType]);
  return createHmac('sha256', secret).update('rapporteur.signed-path.v1\n').update(text).digest();
}

/**
 * `<encoded key>?expires=<unix seconds>[&name=][&type=]&signature=<base64url>`, to be appended to the address of a
 * server that calls `verifySignedPath`. Expiry is rounded down to whole seconds.
 */
export function signPath(secret: string, key: string, options: SignedGetOptions): string {
  assertKey(key);
  const path: SignedPath = {
    key,
    expiresAtMs: Math.floor(options.expiresAtMs / 1_000) * 1_000,
    downloadName: options.downloadName ?? null,
    contentType: options.contentType ?? null,
  };
  const query = new URLSearchParams({ expires: String(path.expiresAtMs / 1_000) });
  if (path.downloadName !== null) query.set('name', path.downloadName);
  if (path.contentType !== null) query.set('type', path.contentType);
  query.set('signature', signatureOf(secret, path).toString('base64url'));
  return `${encodeKey(key)}?${query.toString()}`;
}

export interface SignedRequest {
  readonly method: string;
  /** Percent-encoded, as received, without a leading slash. */
  readonly encodedKey: string;
  readonly query: URLSearchParams;
  /** Epoch milliseconds. */
  readonly nowMs: number;
}

/** Throws SIGNED_URL_REJECTED unless the path was signed with this secret, unchanged, and has not expired. */
export function verifySignedPath(secret: string, request: SignedRequest): SignedPath {
  const { query } = request;
  const key = decodeKey(request.encodedKey);
  const expires = query.get('expires') ?? '';
  if (key === null || !/^\d{1,12}$/.test(expires) || !['GET', 'HEAD'].includes(request.method)) {
    throw fail('SIGNED_URL_REJECTED');
  }
  const repeated = ['expires', 'name', 'type', 'signature'].some((name) => query.getAll(name).length > 1);
  const path: SignedPath = {
    key,
    expiresAtMs: Number(expires) * 1_000,
    downloadName: query.get('name'),
    contentType: query.get('type'),
  };
  const given = Buffer.from(query.get('signature') ?? '', 'base64url');
  const expected = signatureOf(secret, path);
  if (repeated || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw fail('SIGNED_URL_REJECTED');
  if (request.nowMs >= path.expiresAtMs)
    throw fail('SIGNED_URL_REJECTED', { message: 'This link has expired. Request the bot again to get a fresh one.' });
  return path;
}
