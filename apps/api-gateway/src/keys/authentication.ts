import type { Request, RequestHandler } from 'express';
import { Failure, fail } from '@rapporteur/failures';
import { addToLog } from '@rapporteur/service-runtime';
import type { Clock, Permission } from '@rapporteur/service-runtime';
import { hashOfApiKey } from './api-key.ts';
import type { KeyCache } from './key-cache.ts';
import type { KnownKey } from './keys.store.ts';
import { permits } from './permission.ts';

export const keyHeader = 'x-service-api-key';
/** Why a request was refused, for operators: the body must be the same for every reason (specification 5.4). */
const problemHeader = 'x-api-key-problem';
const keys = new WeakMap<Request, KnownKey>();

type KeyProblem = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' | 'permission';

export interface AuthenticationDependencies {
  readonly cache: KeyCache;
  readonly clock: Clock;
  /** Told about every key that was let in. */
  readonly onUse: (keyId: string) => void;
}

/**
 * Lets a request in whose key is good and may do `needed`; the key is then in `keyOf(request)`. Everything else is
 * FORBIDDEN with the bare body of specification 5.4; a header says what is wrong with the key. UNAVAILABLE when keys
 * cannot be looked up.
 */
export function authenticate(dependencies: AuthenticationDependencies, needed: Permission): RequestHandler {
  return async (request, response, next) => {
    const refuse = (problem: KeyProblem): never => {
      response.setHeader(problemHeader, problem);
      addToLog(request, { keyProblem: problem });
      throw fail('FORBIDDEN');
    };
    const key = await keyOrProblem(dependencies, request.headers[keyHeader]);
    if (typeof key === 'string') return refuse(key);
    addToLog(request, { teamId: key.teamId, keyId: key.keyId });
    if (!permits(key.permission, needed)) return refuse('permission');
    keys.set(request, key);
    dependencies.onUse(key.keyId);
    next();
  };
}

/** The key `authenticate` let in. Throws when the route forgot to request one: that is a programming error. */
export function keyOf(request: Request): KnownKey {
  const key = keys.get(request);
  if (key === undefined) throw new Error('This route reads its API key but lets nobody in: add authenticate().');
  return key;
}

async function keyOrProblem(
  { cache, clock }: AuthenticationDependencies,
  given: string | string[] | undefined,
): Promise<KnownKey | Exclude<KeyProblem, 'permission'>> {
  if (typeof given !== 'string' || given === '') return 'missing';
  const keyHash = hashOfApiKey(given);
  if (keyHash === null) return 'malformed';
  const key = await lookUp(cache, keyHash);
  if (key === null) return 'unknown';
  if (key.revoked) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= clock.now() ? 'expired' : key;
}

async function lookUp(cache: KeyCache, keyHash: Buffer): Promise<KnownKey | null> {
  try {
    return await cache.find(keyHash);
  } catch (error) {
    throw error instanceof Failure ? error : fail('UNAVAILABLE', { cause: error });
  }
}
