import { join } from 'node:path';
import type express from 'express';
import type { Site, SiteDependencies } from '../sites/site.ts';
import { createSiteApp } from '../sites/site-app.ts';
import { ClientSockets } from '../sites/client-sockets.ts';
import { encodeSpaceSync } from './collections.ts';
import { meetingDevice } from './speech-frames.ts';
import { googleRoutes, googleUserOf } from '../sign-in/google-routes.ts';
import { meetDialect } from './meet-call.ts';

const SITE_FOLDER = join(import.meta.dirname, 'site');
const SYNC_PATH = '/$rpc/google.rtc.meetings.v1.MeetingSpaceService/SyncMeetingSpaceCollections';
const DEVICE_PATH = '/$rpc/google.rtc.meetings.v1.MeetingDeviceService/CreateMeetingDevice';
const SIGN_IN = 'https://accounts.google.com/v3/signin/identifier?continue=https%3A%2F%2Fmeet.google.com%2F';

/** The Google-Meet-like site. */
export function createMeetSite(dependencies: SiteDependencies): Site {
  const sockets = new ClientSockets(dependencies, 'meet', meetDialect);
  return {
    platform: 'meet',
    response: siteApp(dependencies),
    acceptSocket: (request, stream, head) => sockets.accept(request, stream, head),
    stop: () => sockets.stop(),
  };
}

function siteApp(options: SiteDependencies): express.Express {
  const app = createSiteApp(SITE_FOLDER);
  app.use(googleRoutes(options.googleDomains, (request) => request.hostname));
  app.use(otherHosts);
  app.use((request, response, next) => {
    if (request.path !== DEVICE_PATH) return next();
    const code = String(request.headers['x-meeting-code'] ?? '');
    const detected = options.rooms.find(code)?.options.meet.detectedAsBot ?? 'no';
    return response.type('application/x-protobuf').send(meetingDevice(`spaces/${code}/devices/new`, detected));
  });
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
  app.get('/recaptcha/enterprise/:frame', (_request, response) => response.type('html').send('<!doctype html>'));
  app.get('/{*path}', (request, response) => {
    response.setHeader('cache-control', 'no-store');
    const hosted = options.rooms.namedIn('meet', request.path);
    const signedIn = googleUserOf(options.googleDomains, request) !== null;
    if (hosted?.options.meet.signInWall === 'redirect' && !signedIn) return response.redirect(SIGN_IN);
    return response.sendFile(join(SITE_FOLDER, 'index.html'));
  });
  return app;
}

/** The pages to which Meet redirects refused guests: sign-in, or another site. */
const otherHosts: express.RequestHandler = (request, response, next) => {
  if (request.hostname === 'accounts.google.com') return response.sendFile(join(SITE_FOLDER, 'sign-in.html'));
  if (request.hostname === 'workspace.google.com') return response.sendFile(join(SITE_FOLDER, 'workspace.html'));
  return next();
};
