import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { Router } from 'express';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { referenceRoot } from './pages.ts';

/** Files of the site that programs look for at the root of an address. */
export function docsAtRoot(folder: string): Router {
  const router = Router();
  router.get(['/llms.txt', '/openapi.yaml'], ({ path }, response, next) => {
    response.set('cache-control', 'no-cache');
    response.sendFile(path.slice(1), { root: folder }, (error) => void (error === undefined || next()));
  });
  return router;
}

/** The colours of code are style attributes; the search index is a script. */
const sitePolicy = contentSecurityPolicy("style-src 'self'; style-src-attr 'unsafe-inline'");

/** Files below `assets` have the hash of their content in their names. */
const hashedSeconds = 31_536_000;

/**
 * Serves the documentation site that `npm run docs` builds. While the folder holds none, its pages lead to the API
 * reference, so that no link to a guide ends in an error.
 */
export function docsSite(folder: string): Router {
  const router = Router();
  router.get(/^[^.]*$/, (_request, response, next) => {
    if (existsSync(join(folder, 'index.html'))) next();
    else response.set('cache-control', 'no-store').redirect(302, referenceRoot);
  });
  router.use(
    express.static(folder, {
      extensions: ['html'],
      setHeaders: (response, path) => {
        response.setHeader('x-content-type-options', 'nosniff');
        response.setHeader('referrer-policy', 'no-referrer');
        response.setHeader('content-security-policy', sitePolicy);
        const isHashed = path.includes('/assets/');
        response.setHeader('cache-control', isHashed ? `public, max-age=${hashedSeconds}, immutable` : 'no-cache');
      },
    }),
  );
  // The site has a page for browsers; a program gets the error of the API.
  router.get(/^[^.]*$/, (request, response, next) => {
    if (request.accepts(['json', 'html']) !== 'html') return next();
    response.status(404).set('content-security-policy', sitePolicy);
    response.sendFile('404.html', { root: folder }, (error) => void (error === undefined || next()));
  });
  return router;
}
