import { Router } from 'express';
import { forwardRequest, requestIdOf } from '@rapporteur/service-runtime';

/** The same limit as the API's. */
const limitBytes = 5 * 1024 * 1024;

/**
 * Forwards everything below `/console` to the console's service, so that one address serves the API and the page. `/`
 * redirects browsers there; other clients get the start page. Throws UNAVAILABLE when the console does not respond.
 */
export function consoleRoutes(url: string): Router {
  const router = Router();
  router.get('/', (request, response, next) => {
    response.vary('accept');
    if (request.accepts(['text', 'html']) === 'html') response.redirect(302, '/console');
    else next();
  });
  router.all(['/console', '/console/{*path}'], (request, response) =>
    forwardRequest(request, response, {
      url: `${url}${request.originalUrl}`,
      headers: { ...request.headers, 'x-request-id': requestIdOf(request) },
      limitBytes,
    }),
  );
  return router;
}
