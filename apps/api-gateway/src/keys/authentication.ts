import type { Request, RequestHandler } from 'express';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { Failure, fail } from '@rapporteur/failures';
import { addToLog } from '@rapporteur/service-runtime';
import type { Clock, InternalAuth, User } from '@rapporteur/service-runtime';
import { hashOfApiKey } from './api-key.ts';
import type { KeyCache } from './key-cache.ts';
import type { KnownKey } from './keys.store.ts';

export const keyHeader = 'x-service-api-key';
/**
 * Why a request was refused, for a header: the body is the same for every reason (specification 5.4). The contract
 * lists the values.
 */
const problemHeader = 'x-service-key-problem';
const keys = new WeakMap<Request, KnownKey>();

type KeyProblem = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' | 'permission' | 'token';

export interface AuthenticationDependencies {
  readonly cache: KeyCache;
  readonly clock: Clock;
  /** Called with every accepted key. */
  readonly onUse: (keyId: string) => void;
  /** Verifies the tokens in which the console names a user, a team and a role. */
  readonly auth: InternalAuth;
  readonly findUser: (teamId: string, user: User) => Promise<KnownKey | null>;
}

/** Who may call an operation: keys by permission (specification part 5), users of the console by role. */
export type Access = Pick<PublicOperation, 'permission' | 'role'>;

/** From the least to the most. */
const roles: readonly User['role'][] = ['viewer', 'member', 'admin'];

/**
 * Accepts a request whose key or user has `access`; the key is then in `keyOf(request)`. Otherwise FORBIDDEN with the
 * bare body of specification 5.4; a header states the problem of the key. UNAVAILABLE when keys cannot be read.
 */
export function authenticate(dependencies: AuthenticationDependencies, access: Access): RequestHandler {
  return async (request, response, next) => {
    const refuse = (problem: KeyProblem): never => {
      response.setHeader(problemHeader, problem);
      addToLog(request, { keyProblem: problem });
      throw fail('FORBIDDEN');
    };
    const { [keyHeader]: given, authorization } = request.headers;
    const key = await (given === undefined && authorization !== undefined
      ? userOrProblem(dependencies, authorization)
      : keyOrProblem(dependencies, given));
    if (typeof key === 'string') return refuse(key);
    const { user } = key;
    addToLog(request, { teamId: key.teamId, ...(user === null ? { keyId: key.keyId } : { userId: user.id }) });
    if (key.permission !== 'full' && access.permission === 'full') return refuse('permission');
    if (user !== null && (access.role === null || roles.indexOf(user.role) < roles.indexOf(access.role))) {
      throw fail('FORBIDDEN', { message: `Your role in this team, ${user.role}, does not include this.` });
    }
    keys.set(request, key);
    if (user === null) dependencies.onUse(key.keyId);
    next();
  };
}

/** The key that `authenticate` accepted. Throws when the route lacks `authenticate`: a programming error. */
export function keyOf(request: Request): KnownKey {
  const key = keys.get(request);
  if (key === undefined) throw new Error('This route reads its API key without authentication: add authenticate().');
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

async function userOrProblem(
  { auth, findUser }: AuthenticationDependencies,
  authorization: string,
): Promise<KnownKey | 'token'> {
  const caller = await auth.verify(authorization, ['console']).catch(() => null);
  if (caller === null || caller.user === null || caller.teamId === null) return 'token';
  const known = await findUser(caller.teamId, caller.user).catch((error: unknown) => {
    throw error instanceof Failure ? error : fail('UNAVAILABLE', { cause: error });
  });
  return known ?? 'token';
}

async function lookUp(cache: KeyCache, keyHash: Buffer): Promise<KnownKey | null> {
  try {
    return await cache.find(keyHash);
  } catch (error) {
    throw error instanceof Failure ? error : fail('UNAVAILABLE', { cause: error });
  }
}
