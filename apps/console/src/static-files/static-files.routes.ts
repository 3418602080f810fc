import { createHash } from 'node:crypto';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { iconSvg } from './page-files.ts';
import type { PageAsset, PageFiles } from './page-files.ts';

/** No requests to or from another origin; no inline script or style; no HTML from text. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The page at every address below `/console`, and its files, with immutable caching. */
export function staticFiles({ html, assets }: PageFiles): Router {
  const router = Router();
  const icon: PageAsset = { type: 'image/svg+xml', plain: Buffer.from(iconSvg), gzip: null, brotli: null };
  for (const [name, asset] of [...assets, ['icon.svg', icon] as const]) {
    router.get(`/console/assets/${name}`, (request, response) => sendAsset(request, response, asset));
  }
  router.get('/console/assets/{*name}', (_request, _response, next) => next('router'));
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  router.get(['/console', '/console/{*page}'], (request, response) => {
    response.set({ ...pageHeaders, 'cache-control': 'no-cache', etag });
    if (request.headers['if-none-match'] === etag) response.status(304).end();
    else response.type('html').send(html);
  });
  router.get('/', (_request, response) => response.redirect(302, '/console'));
  return router;
}

function sendAsset(request: Request, response: Response, { type, plain, gzip, brotli }: PageAsset): void {
  response.set({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': type,
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  });
  const encoding = request.acceptsEncodings(['br', 'gzip', 'identity']);
  const compressed = encoding === 'br' ? brotli : encoding === 'gzip' ? gzip : null;
  if (compressed !== null && encoding !== false) response.setHeader('content-encoding', encoding);
  response.end(compressed ?? plain);
}
