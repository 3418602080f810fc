import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { fail } from '@rapporteur/failures';
import { decodeKey } from '@rapporteur/object-store';
import { addToLog } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { Request, RequestHandler, Response } from 'express';
import { withDeadline } from '@rapporteur/async';
import { readGrant } from './grant-token.ts';
import type { Grant } from './grant-token.ts';
import type { Grants } from './grants.store.ts';

/** Time for a sender to read our response after its body is no longer read. */
const lingerMs = 2_000;

/**
 * The chunks of an upload as they arrive. Throws VALIDATION when the sender aborts, or sends nothing for `idleMs` while
 * a chunk is waited for. A reader that stops early leaves the connection open for the response.
 */
export async function* requestBody(request: Request, idleMs: number): AsyncGenerator<Uint8Array> {
  liftRequestTimeout(request);
  const iterator = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  for (;;) {
    const chunk = iterator.next().catch(rethrowAsBrokenOff);
    const next = await withDeadline(chunk, idleMs, () => brokenOff(`nothing of it came for ${idleMs / 1_000} seconds`));
    if (next.done === true) return;
    yield next.value as Uint8Array;
  }
}

function rethrowAsBrokenOff(cause: unknown): never {
  throw brokenOff('the connection broke', cause);
}

function brokenOff(why: string, cause?: unknown): Error {
  return fail('VALIDATION', { message: `The body is incomplete: ${why}.`, details: 'body', cause });
}

/**
 * Node gives every request of a server one deadline for its whole body, which a long recording on a slow connection
 * exceeds: it is removed for the whole port, permanently. An upload has an idle timeout instead, every other body the
 * deadlines of service-runtime.
 */
function liftRequestTimeout(request: Request): void {
  const { server } = request.socket as Socket & { readonly server?: Server };
  if (server !== undefined) server.requestTimeout = 0;
}

/**
 * After a response that did not wait for the whole body, the rest is discarded for a moment, then the connection ends.
 */
function endUnreadBody(request: Request, response: Response): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, lingerMs).unref();
  });
}

export interface GrantCheckDependencies {
  readonly grants: Grants;
  readonly signingSecret: Secret;
}

const held = new WeakMap<Request, Grant>();

/**
 * Admits only the holder of its bot's newest grant, which is then in `grantOf(request)`; anything else is
 * GRANT_REJECTED. Use it before any handler that reads the body: an unauthorized body is not read, and the response is
 * sent before the connection ends.
 */
export function requireGrant(service: Service, dependencies: GrantCheckDependencies): RequestHandler {
  const read = readsGrant(service, dependencies);
  return async (request, response, next) => {
    await read(request, response, () => undefined);
    await dependencies.grants.assertCurrent(grantOf(request));
    next();
  };
}

/**
 * Like `requireGrant`, for a route whose own statement compares the fencing number: admits any grant that has not
 * expired.
 */
export function readsGrant(
  service: Service,
  { signingSecret }: Pick<GrantCheckDependencies, 'signingSecret'>,
): (...handled: Parameters<RequestHandler>) => Promise<void> {
  return async (request, response, next) => {
    endUnreadBody(request, response);
    const grant = await readGrant(signingSecret, request.headers.authorization, service.clock.now());
    addToLog(request, { botId: grant.botId, fencing: grant.fencing });
    held.set(request, grant);
    next();
  };
}

/** The grant that `requireGrant` admitted. Throws when the route does not require one: a programming error. */
export function grantOf(request: Request): Grant {
  const grant = held.get(request);
  if (grant === undefined) throw new Error('This route reads its grant without authentication: add requireGrant().');
  return grant;
}

/** Every object that runners store. */
export const keysStart = 'bots/';

export function prefixOf(grant: Grant): string {
  return `${keysStart}${grant.botId}/`;
}

export function relativeKey(grant: Grant, key: string): string {
  return key.slice(prefixOf(grant).length);
}

/** The key inside the grant's own prefix; a path that leaves it is not a key. */
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
