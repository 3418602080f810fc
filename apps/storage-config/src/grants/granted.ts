import { fail } from '@rapporteur/failures';
import { decodeKey } from '@rapporteur/object-store';
import { addToLog } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { Request } from 'express';
import { readGrant } from './grant-token.ts';
import type { Grant } from './grant-token.ts';
import type { Grants } from './grants.store.ts';

export interface GrantCheckParts {
  readonly grants: Grants;
  readonly signingSecret: Secret;
}

/** Says whose request it is. Throws GRANT_REJECTED for one without the newest grant of its bot. */
export function grantCheck(service: Service, parts: GrantCheckParts): (request: Request) => Promise<Grant> {
  return async (request) => {
    const grant = await readGrant(parts.signingSecret, request.headers.authorization, service.clock.now());
    addToLog(request, { botId: grant.botId, fencing: grant.fencing });
    await parts.grants.assertCurrent(grant);
    return grant;
  };
}

export function prefixOf(grant: Grant): string {
  return `bots/${grant.botId}/`;
}

export function relativeKey(grant: Grant, key: string): string {
  return key.slice(prefixOf(grant).length);
}

/** The key inside the grant's own prefix; a path that tries to leave it is no key at all. */
export function keyOf(grant: Grant, request: Request, base: string): string {
  const key = decodeKey(request.path.slice(base.length + 1));
  if (key === null) throw fail('VALIDATION', { message: 'The path is not an object key.', details: 'key' });
  return prefixOf(grant) + key;
}

export function announcedHash(request: Request): string {
  const sha256 = request.headers['x-content-sha256'];
  if (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) return sha256;
  const message = 'The header x-content-sha256 must hold the SHA-256 of the body in hex.';
  throw fail('VALIDATION', { message, details: 'x-content-sha256' });
}

export function tooLarge(limit: number): Error {
  return fail('BODY_TOO_LARGE', { message: `An object may have at most ${limit} bytes.` });
}
