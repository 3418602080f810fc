import type { Request, RequestHandler } from 'express';
import { fail } from '@rapporteur/failures';

/** A header of every request of the page's script; a form or an image of another site cannot set it. */
export const consoleHeader = 'x-rapporteur-console';

/**
 * Refuses cross-site requests with FORBIDDEN: one that the browser marks as cross-site, one without the page's header,
 * and a change whose Origin is not this host.
 */
export function sameOriginOnly(publicUrl: string | undefined): RequestHandler {
  return (request, _response, next) => {
    refuseOtherSites(request);
    if (request.headers[consoleHeader] === undefined)
      throw fail('FORBIDDEN', { message: 'The request does not come from the console.' });
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isOwnOrigin(request, publicUrl))
      throw fail('FORBIDDEN', { message: 'The request comes from another site.' });
    next();
  };
}

/** For images, media and downloads, which carry no header of the page: checks the origin that the browser states. */
export const sameSiteOnly: RequestHandler = (request, _response, next) => {
  refuseOtherSites(request);
  next();
};

function refuseOtherSites(request: Request): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw fail('FORBIDDEN', { message: 'The request comes from another site.' });
}

function isOwnOrigin({ headers }: Request, publicUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  return publicUrl === undefined ? new URL(origin).host === host : origin === new URL(publicUrl).origin;
}
