import type { RequestHandler } from 'express';
import { fail } from '@rapporteur/failures';
import { forwardRequest, requestIdOf } from '@rapporteur/service-runtime';
import type { ApiCredentials } from '../session/api-credentials.ts';
import { sessionOf } from '../session/session.routes.ts';

/** Request headers that are forwarded to the API; all others, including cookies, are not. */
const passedHeaders = ['accept', 'accept-encoding', 'content-type', 'idempotency-key'] as const;
/** Null where the API has none, because a browser reports each 404 as an error. */
const optionalObjects: ReadonlySet<string> = new Set(['/v2/storage-config']);
const optionalMs = 20_000;
const limitBytes = 5 * 1024 * 1024;

export interface ApiProxyDependencies {
  readonly apiUrl: string;
  readonly credentials: ApiCredentials;
}

/** Forwards a request below `/console/api` to the API's `/v2`, with the credentials of the session. */
export function apiProxy({ apiUrl, credentials }: ApiProxyDependencies): RequestHandler {
  return async (request, response) => {
    const path = apiPathOf(request.url);
    if (path === null) throw fail('NOT_FOUND');
    const headers: Record<string, string> = {
      ...(await credentials.headersFor(sessionOf(request))),
      'x-request-id': requestIdOf(request),
    };
    for (const name of passedHeaders) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    response.setHeader('cache-control', 'no-store');
    if (request.method === 'GET' && optionalObjects.has(path)) {
      const reply = await fetch(`${apiUrl}${path}`, { headers, signal: AbortSignal.timeout(optionalMs) });
      const body: unknown = reply.status === 404 ? { success: true, data: null } : await reply.json();
      response.status(reply.status === 404 ? 200 : reply.status).json(body);
      return;
    }
    await forwardRequest(request, response, { url: `${apiUrl}${path}`, headers, limitBytes });
  };
}

/** Null for anything but a plain path below /v2: no dot segment, encoded or not, escapes from it. */
export function apiPathOf(url: string): string | null {
  const [path = '', query] = url.split('?', 2);
  if (!/^\/v2\/[\w./%~:@-]*$/.test(path)) return null;
  const segments = path.split('/').map((segment) => segment.replaceAll(/%2e/gi, '.'));
  if (segments.some((segment) => segment === '.' || segment === '..' || /%(2f|5c)/i.test(segment))) return null;
  return query === undefined ? path : `${path}?${query}`;
}
