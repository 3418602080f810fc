import { join } from 'node:path';
import express from 'express';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { passcodeOf } from '../sites/platforms.ts';
import { createSiteApp } from '../sites/site-app.ts';
import type { Site, SiteDependencies } from '../sites/site.ts';
import { ClientSockets } from '../sites/client-sockets.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { sdkJoinSchema, sdkRefusal } from './sdk-entry.ts';
import type { SdkJoin } from './sdk-entry.ts';
import { zoomDialect } from './zoom-call.ts';
import { shownToPages, zoomOptionsSchema } from './zoom-options.ts';
import type { ZoomOptions } from './zoom-options.ts';

const SITE_FOLDER = join(import.meta.dirname, 'site');

/** The Zoom-like web client. */
export function createZoomSite(dependencies: SiteDependencies): Site {
  const sockets = new ClientSockets(dependencies, 'zoom', zoomDialect);
  return {
    platform: 'zoom',
    response: siteApp(dependencies),
    acceptSocket: (request, stream, head) => {
      const bySdk = /^\/sdk(\/ws\/.*)$/.exec(request.url ?? '')?.[1];
      if (bySdk === undefined) sockets.accept(request, stream, head);
      // The SDK's page has another origin.
      else sockets.accept(Object.assign(request, { url: bySdk }), stream, head, { anyOrigin: true });
    },
    stop: () => sockets.stop(),
  };
}

function siteApp(dependencies: SiteDependencies): express.Express {
  const app = createSiteApp(SITE_FOLDER, sdkRoutes(dependencies), oauthRoutes(dependencies.zoomAccounts));
  app.get('/api/meeting/:code', (request, response) => {
    const { code } = request.params;
    const hosted = dependencies.rooms.find(code);
    const known = hosted?.options.platform === 'zoom' && hosted.room.endedAt === null;
    const passcode = known && request.query['pwd'] === passcodeOf(code) ? 'right' : 'wrong';
    const lateness = hosted?.faults.lateness ?? 1;
    const zoom = known ? shownToPages(zoomNow(hosted, dependencies.clock.now())) : null;
    const pageChange = known ? dependencies.pageChanges.of(hosted.options) : null;
    response.json({ known, passcode, zoom, lateness, pageChange });
  });
  app.get('/{*path}', (request, response) => {
    response.setHeader('cache-control', 'no-store');
    response.sendFile(join(SITE_FOLDER, pageOf(request.path)));
  });
  return app;
}

/** What the Meeting SDK gets from its own host, from pages of any origin. */
function sdkRoutes(dependencies: SiteDependencies): express.Router {
  const router = express.Router();
  router.use((request, response, next) => {
    if (!request.hostname.startsWith('source.')) return next('router');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    next();
  });
  router.get(/^\/[\d.]+\/zoom-meeting-[\d.]+\.min\.js$/, (request, response) => {
    response.type('text/javascript').send(`import('https://${request.headers.host}/static/sdk.js');\n`);
  });
  router.post('/sdk/join/:code', express.text({ type: () => true, limit: 65_536 }), (request, response) => {
    response.json(respondToJoin(dependencies, request.body as string));
  });
  return router;
}

function respondToJoin(dependencies: SiteDependencies, body: string): object {
  const nowMs = dependencies.clock.now();
  const given = sdkJoinSchema.parse(JSON.parse(body));
  const found = dependencies.rooms.find(given.meetingNumber);
  const hosted = found?.options.platform === 'zoom' && found.room.endedAt === null ? found : null;
  const zoom = withMinted(dependencies, given, hosted === null ? zoomOptionsSchema.parse({}) : zoomNow(hosted, nowMs));
  const errorCode = sdkRefusal(hosted, given, zoom, nowMs);
  if (errorCode !== null || hosted === null) return { errorCode, errorMessage: 'Fail to join the meeting.' };
  return { errorCode: 0, zoom: shownToPages(zoom), chat: hosted.options.chat };
}

/** A token issued by Zoom's API for this meeting is as valid as the one of the room. */
function withMinted(
  { zoomAccounts }: SiteDependencies,
  { obfToken, meetingNumber }: SdkJoin,
  zoom: ZoomOptions,
): ZoomOptions {
  return obfToken !== undefined && zoomAccounts.opens(obfToken, meetingNumber) ? { ...zoom, obfToken } : zoom;
}

/** The room's current variants: the host may have joined meanwhile. */
function zoomNow({ room, options: { zoom } }: HostedRoom, nowMs: number): ZoomOptions {
  const started = zoom.hostStartsAfterMs > 0 && nowMs - room.clockZero >= zoom.hostStartsAfterMs;
  return started ? { ...zoom, hostNotStarted: 'no' } : zoom;
}

function pageOf(path: string): string {
  if (/^\/(j|w)\/\d+/.test(path)) return 'invitation.html';
  if (/^\/wc\/(join\/\d+|\d+\/join)/.test(path)) return 'web-client.html';
  if (path.startsWith('/wc/client/')) return 'client.html';
  if (path === '/signin') return 'sign-in.html';
  return 'home.html';
}
