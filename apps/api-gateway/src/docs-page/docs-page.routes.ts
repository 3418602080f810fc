import { readFileSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import express, { Router } from 'express';
import type { RequestHandler } from 'express';
import {
  contentSecurityPolicy,
  docsScript,
  docsStyle,
  referenceHtml,
  referencePath,
  referenceRoot,
  welcomeHtml,
  welcomeText,
} from './pages.ts';
import { withExampleTimes } from './example-times.ts';

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

interface FixedContent {
  readonly type: string;
  readonly body: Buffer;
  /** `max-age` for browsers, in seconds. */
  readonly maxAgeSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Prepared {
  readonly etag: string;
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** Smaller bodies are not compressed. */
const worthZipping = 1_024;

/** Serves fixed content: compressed where the client accepts it, 304 where the ETag matches. */
function fixedResponse(read: () => FixedContent): RequestHandler {
  let content: FixedContent | undefined;
  let prepared: Prepared | undefined;
  return (request, response) => {
    content ??= read();
    prepared ??= prepare(content.body);
    response.set({
      'content-type': content.type,
      'cache-control': content.maxAgeSeconds === undefined ? 'no-cache' : `public, max-age=${content.maxAgeSeconds}`,
      etag: prepared.etag,
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...content.headers,
    });
    if (request.headers['if-none-match']?.includes(prepared.etag) === true) return void response.status(304).end();
    const isZipped = prepared.plain.byteLength > worthZipping && request.acceptsEncodings('gzip') === 'gzip';
    if (isZipped) response.set('content-encoding', 'gzip');
    response.send(isZipped ? prepared.zipped : prepared.plain);
  };
}

function prepare(plain: Buffer): Prepared {
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 24);
  // Weak: the compressed and the plain body share it.
  return { etag: `W/"${digest}"`, plain, zipped: gzipSync(plain) };
}

/** An API document as the page lists it. */
export interface ServedDocument {
  readonly path: string;
  readonly title: string;
  readonly document: unknown;
}

/** Hash of the only inline style sheet of the viewer, at this version. */
const viewerStyleHash = 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w=';

const pagePolicy = contentSecurityPolicy(`style-src 'self' '${viewerStyleHash}'`);

const assetSeconds = 3_600;
const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

const viewerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': css,
  'swagger-ui-bundle.js': javascript,
  'favicon-32x32.png': 'image/png',
};

/** The start page, the documents and the pages that show them. All are public and use no other origin. */
export function docsPage(documents: readonly ServedDocument[], now: () => number): Router {
  const router = Router();
  const page = { 'content-security-policy': pagePolicy, 'referrer-policy': 'no-referrer' };
  const text = (type: string, body: string, headers = {}) =>
    fixedResponse(() => ({ type, body: Buffer.from(body), headers }));

  const [welcome, plainWelcome] = [
    text(html, welcomeHtml(documents), page),
    text('text/plain; charset=utf-8', welcomeText(documents)),
  ];
  router.get('/', (request, response, next) =>
    request.accepts(['text', 'html']) === 'html'
      ? welcome(request, response, next)
      : plainWelcome(request, response, next),
  );
  for (const { path, document } of documents) router.get(path, serveDocument(document, now));
  for (const shown of documents) {
    router.get(referencePath(documents, shown), text(html, referenceHtml(documents, shown), page));
  }
  router.get(`${referenceRoot}/start.js`, text(javascript, docsScript));
  router.get(`${referenceRoot}/page.css`, text(css, docsStyle));
  for (const [name, type] of Object.entries(viewerFiles)) {
    router.get(
      `${referenceRoot}/${name}`,
      fixedResponse(() => ({ type, body: readFileSync(join(viewerFolder(), name)), maxAgeSeconds: assetSeconds })),
    );
  }
  return router;
}

/** Rebuilt once a day, because the example times depend on the date. */
function serveDocument(document: unknown, now: () => number): RequestHandler {
  let serve: { readonly day: number; readonly respond: RequestHandler } | undefined;
  return (request, response, next) => {
    const nowMs = now();
    const day = Math.floor(nowMs / dayMs);
    if (serve?.day !== day) {
      const body = () => Buffer.from(withExampleTimes(JSON.stringify(document), nowMs));
      serve = { day, respond: fixedResponse(() => ({ type: 'application/json; charset=utf-8', body: body() })) };
    }
    return serve.respond(request, response, next);
  };
}

const dayMs = 86_400_000;

/** Loaded at the first request: the gateway starts without the viewer's files. */
function viewerFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
