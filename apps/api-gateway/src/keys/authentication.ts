import type { Request, RequestHandler } from 'express';
import { Failure, fail } from '@rapporteur/failures';
import { addToLog } from '@rapporteur/service-runtime';
import type { Clock, Permission } from '@rapporteur/service-runtime';
import { hashOfApiKey } from './api-key.ts';
import type { KeyCache } from './key-cache.ts';
import type { KnownKey } from './keys.store.ts';
import { permits } from './permission.ts';

const header = 'x-service-api-key';
const keys = new WeakMap<Request, KnownKey>();

export interface AuthenticationParts {
  readonly cache: KeyCache;
  readonly clock: Clock;
  /** Told about every key that was let in. */
  readonly onUse: (keyId: string) => void;
}

/**
 * Lets a request in whose key is good and may do `needed`; the key is then in `keyOf(request)`. Everything else is
 * FORBIDDEN: a bad key with a message that tells what is wrong with it, a lacking permission with the bare body of
 * specification 5.4. UNAVAILABLE when keys cannot be looked up.
 */
export function authenticate(parts: AuthenticationParts, needed: Permission): RequestHandler {
  return async (request, _response, next) => {
    const key = await goodKey(parts, request.headers[header]);
    addToLog(request, { teamId: key.teamId, keyId: key.keyId });
    if (!permits(key.permission, needed)) throw fail('FORBIDDEN');
    keys.set(request, key);
    parts.onUse(key.keyId);
    next();
  };
}

/** The key `authenticate` let in. Throws when the route forgot to ask for one: that is a programming error. */
export function keyOf(request: Request): KnownKey {
  const key = keys.get(request);
  if (key === undefined) throw new Error('This route reads its API key but lets nobody in: add authenticate().');
  return key;
}

async function goodKey({ cache, clock }: AuthenticationParts, given: string | string[] | undefined): Promise<KnownKey> {
  if (typeof given !== 'string' || given === '') {
    throw fail('FORBIDDEN', { message: `The header ${header} is missing. Send your team's API key in it.` });
  }
  const keyHash = hashOfApiKey(given);
  if (keyHash === null) {
    throw fail('FORBIDDEN', { message: 'This is not a valid API key. Check that it was copied whole.' });
  }
  const key = await lookUp(cache, keyHash);
  if (key === null) throw fail('FORBIDDEN', { message: 'This API key is not known here.' });
  if (key.revoked) throw fail('FORBIDDEN', { message: 'This API key was revoked.' });
  if (key.expiresAtMs !== null && key.expiresAtMs <= clock.now()) {
    throw fail('FORBIDDEN', { message: 'This API key has expired.' });
  }
  return key;
}

async function lookUp(cache: KeyCache, keyHash: Buffer): Promise<KnownKey | null> {
  try {
    return await cache.find(keyHash);
  } catch (error) {
    throw error instanceof Failure ? error : fail('UNAVAILABLE', { cause: error });
  }
}
