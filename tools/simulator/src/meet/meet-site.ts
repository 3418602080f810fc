import { join } from 'node:path';
import express from 'express';
import type { Site, SiteParts } from '../sites/site.ts';
import { pageFolder } from '../sites/site.ts';
import { VisitorSockets } from '../sites/visitor-sockets.ts';
import { encodeSpaceSync } from './collections.ts';
import { meetDialect } from './meet-call.ts';

const SITE_FOLDER = join(import.meta.dirname, 'site');
const SYNC_PATH = '/$rpc/google.rtc.meetings.v1.MeetingSpaceService/SyncMeetingSpaceCollections';

/** The Google-Meet-like site. */
export function createMeetSite(parts: SiteParts): Site {
  const sockets = new VisitorSockets(parts, 'meet', meetDialect);
  return {
    platform: 'meet',
    answer: siteApp(parts),
    acceptSocket: (request, stream, head) => sockets.accept(request, stream, head),
    stop: () => sockets.stop(),
  };
}

function siteApp(options: SiteParts): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.use('/static', express.static(SITE_FOLDER, { index: false, cacheControl: false }));
  app.use('/page', express.static(pageFolder, { index: false, cacheControl: false }));
  app.use((request, response, next) => {
    if (request.path !== SYNC_PATH) return next();
    const hosted = options.rooms.find(String(request.headers['x-meeting-code'] ?? ''));
    const attendee = hosted?.room.attendees().find((one) => one.id === request.headers['x-attendee']);
    if (!hosted || attendee?.state !== 'inCall') return response.status(403).end();
    const users = hosted.room.membersInCall().map((member) => ({
      deviceId: member.deviceId,
      fullName: member.name,
      status: 'inCall' as const,
      isSelf: member.deviceId === attendee.deviceId,
      isHost: member.isHost,
    }));
    return response.type('application/x-protobuf').send(encodeSpaceSync(users));
  });
  app.get('/recaptcha/enterprise/anchor', (_request, response) => response.type('html').send('<!doctype html>'));
  app.get('/favicon.ico', (_request, response) => response.status(204).end());
  app.get('/{*path}', (_request, response) => {
    response.setHeader('cache-control', 'no-store');
    response.sendFile(join(SITE_FOLDER, 'index.html'));
  });
  return app;
}
