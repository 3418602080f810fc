import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { fail } from '@rapporteur/failures';
import type { Secret } from '@rapporteur/service-runtime';

/** Authorizes requests that carry the deployment's admin token; any other request is FORBIDDEN. */
export function requireAdminToken(token: Secret): RequestHandler {
  const wanted = digest(token.reveal());
  return (request, _response, next) => {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given === undefined || !timingSafeEqual(digest(given), wanted)) {
      throw fail('FORBIDDEN', {
        message: 'The admin API wants this deployment\'s admin token as "Authorization: Bearer <token>".',
      });
    }
    next();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
