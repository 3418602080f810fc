import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import express from 'express';
import { WebSocketServer } from 'ws';
import type { Certificate } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import type { SimulatorLog } from '../log.ts';
import type { RoomRegistry } from '../rooms/room-registry.ts';
import { AttendeeSession } from './attendee-session.ts';
import { encodeSpaceSync } from './collections.ts';

export type MeetServer = { port: number; stop(): Promise<void> };
export type MeetServerOptions = {
  rooms: RoomRegistry;
  certificate: Certificate;
  host: string;
  port: number;
  clock: Clock;
  log: SimulatorLog;
};

const SITE_FOLDER = join(import.meta.dirname, 'site');
const SYNC_PATH = '/$rpc/google.rtc.meetings.v1.MeetingSpaceService/SyncMeetingSpaceCollections';
const SOCKET_PATH = /^\/ws\/([a-z0-9-]+)$/i;
const LARGEST_MESSAGE_BYTES = 200_000;
const LARGEST_NUMBER_OF_PAGES = 200;

/** Serves the Google-Meet-like site and its WebSocket on one HTTPS port. */
export async function startMeetServer(options: MeetServerOptions): Promise<MeetServer> {
  const server = createServer(
    { key: options.certificate.keyPem, cert: options.certificate.certificatePem },
    siteApp(options),
  );
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE_BYTES });
  const sessions = new Set<AttendeeSession>();
  server.on('upgrade', (request, stream, head) => {
    acceptSocket({ ...options, sockets, sessions }, request, stream, head);
  });
  const port = await listen(server, options.host, options.port);
  return {
    port,
    stop: async () => {
      await Promise.all([...sessions].map((session) => session.stop()));
      sockets.close();
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function siteApp(options: MeetServerOptions): express.Express {
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

type SocketContext = MeetServerOptions & { sockets: WebSocketServer; sessions: Set<AttendeeSession> };

function acceptSocket(context: SocketContext, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  const code = SOCKET_PATH.exec(request.url ?? '')?.[1];
  const sameOrigin = request.headers.origin === `https://${request.headers.host}`;
  if (code === undefined || !sameOrigin || context.sessions.size >= LARGEST_NUMBER_OF_PAGES) {
    stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    return;
  }
  context.sockets.handleUpgrade(request, stream, head, (socket) => {
    const hosted = context.rooms.find(code.toLowerCase());
    if (hosted === null || hosted.room.endedAt !== null) {
      socket.send(JSON.stringify({ kind: 'unknownCode' }));
      socket.close();
      return;
    }
    const session = new AttendeeSession({
      socket,
      hosted,
      now: context.clock.now,
      loopbackOnly: context.host === '127.0.0.1',
      log: context.log,
    });
    context.sessions.add(session);
    socket.once('close', () => context.sessions.delete(session));
  });
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
