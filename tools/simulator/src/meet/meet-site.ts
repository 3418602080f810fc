import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import express from 'express';
import { WebSocketServer } from 'ws';
import { refuseSocket } from '../sites/site.ts';
import type { Site, SiteParts } from '../sites/site.ts';
import { AttendeeSession } from './attendee-session.ts';
import { encodeSpaceSync } from './collections.ts';

const SITE_FOLDER = join(import.meta.dirname, 'site');
const SYNC_PATH = '/$rpc/google.rtc.meetings.v1.MeetingSpaceService/SyncMeetingSpaceCollections';
const SOCKET_PATH = /^\/ws\/([a-z0-9-]+)$/i;
const LARGEST_MESSAGE_BYTES = 200_000;
const LARGEST_NUMBER_OF_PAGES = 200;

/** The Google-Meet-like site. */
export function createMeetSite(parts: SiteParts): Site {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE_BYTES });
  const sessions = new Set<AttendeeSession>();
  return {
    platform: 'meet',
    answer: siteApp(parts),
    acceptSocket: (request, stream, head) => acceptSocket({ ...parts, sockets, sessions }, request, stream, head),
    stop: async () => {
      await Promise.all([...sessions].map((session) => session.stop()));
      sockets.close();
    },
  };
}

function siteApp(options: SiteParts): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.use('/static', express.static(SITE_FOLDER, { index: false, cacheControl: false }));
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

type SocketContext = SiteParts & { sockets: WebSocketServer; sessions: Set<AttendeeSession> };

function acceptSocket(context: SocketContext, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  const code = SOCKET_PATH.exec(request.url ?? '')?.[1];
  const sameOrigin = request.headers.origin === `https://${request.headers.host}`;
  if (code === undefined || !sameOrigin || context.sessions.size >= LARGEST_NUMBER_OF_PAGES) {
    refuseSocket(stream);
    return;
  }
  context.sockets.handleUpgrade(request, stream, head, (socket) => {
    const hosted = context.rooms.find(code.toLowerCase());
    if (hosted?.options.platform !== 'meet' || hosted.room.endedAt !== null) {
      socket.send(JSON.stringify({ kind: 'unknownCode' }));
      socket.close();
      return;
    }
    const session = new AttendeeSession({
      socket,
      hosted,
      now: context.clock.now,
      loopbackOnly: context.loopbackOnly,
      log: context.log,
    });
    context.sessions.add(session);
    socket.once('close', () => context.sessions.delete(session));
  });
}
