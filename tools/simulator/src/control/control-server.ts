import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import type { ErrorRequestHandler, Request, Response } from 'express';
import * as z from 'zod';
import { calendarRoutes } from '../calendars/control-routes.ts';
import type { SimulatedCalendars } from '../calendars/calendars.ts';
import type { SimulatorLog } from '../log.ts';
import { lastImage, lastAudio } from '../media/decode-received.ts';
import type { ReceivedMedia } from '../media/received-media.ts';
import type { PageChanges } from '../page-changes/page-changes.ts';
import { faultSchema } from '../rooms/faults.ts';
import { happen, roomEventSchema } from '../rooms/room-events.ts';
import { roomOptionsSchema } from '../rooms/room-options.ts';
import type { PresetName } from '../rooms/presets.ts';
import { RoomRefused } from '../rooms/room-registry.ts';
import type { HostedRoom, RoomRegistry } from '../rooms/room-registry.ts';
import { platformNames, addressOf } from '../sites/platforms.ts';
import type { PlatformName } from '../sites/platforms.ts';
import type { SpeechProviders } from '../speech-providers/speech-providers.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { googleDomainSchema } from '../sign-in/google-domains.ts';
import type { GoogleDomains } from '../sign-in/google-domains.ts';
import { googleRoutes } from '../sign-in/google-routes.ts';
import { microsoftAccountSchema } from '../sign-in/microsoft-accounts.ts';
import type { MicrosoftAccounts } from '../sign-in/microsoft-accounts.ts';
import { consentOptions, oauthFaultSchema } from '../zoom/oauth-accounts.ts';
import type { OauthAccounts } from '../zoom/oauth-accounts.ts';
import { oauthRoutes } from '../zoom/oauth-routes.ts';
import { pageChangeChoiceSchema } from '../page-changes/choice.ts';
import { pageChangeNames, pageChangePresets } from '../page-changes/presets.ts';
import { readControlBody } from './control-body.ts';

const choiceBody = z.strictObject({ change: pageChangeChoiceSchema, platform: z.enum(platformNames).optional() });

/** `/page-changes`: the known changes, and the one of each platform's page from now on. */
function pageChangeRoutes(changes: PageChanges): express.Router {
  const router = express.Router();
  router.get('/page-changes', (_request, response) => {
    const known = pageChangeNames.map((name) => ({ name, what: pageChangePresets[name].what }));
    response.json({ changes: known, chosen: changes.chosen() });
  });
  router.put('/page-changes', (request, response) => {
    const { change, platform } = readControlBody(choiceBody, request);
    changes.choose(change, platform === undefined ? undefined : [platform]);
    response.json({ chosen: changes.chosen() });
  });
  return router;
}

export type ControlInfo = {
  httpsPort: number;
  hostResolverRules: string;
  certificateSpki: string;
  chromiumArguments: readonly string[];
  preset: PresetName;
  /** The Meeting SDK app of simulated Zoom meetings. */
  sdkApp: { readonly key: string; readonly secret: string };
  linkHosts: Readonly<Record<PlatformName, string>>;
};
export type ControlServer = { url: string; stop(): Promise<void> };

const SITE_FOLDER = join(import.meta.dirname, 'site');
const LARGEST_BODY_BYTES = 200_000;

const nameMaybe = z.strictObject({ name: z.string().min(1).max(60).optional() });
const nameNeeded = z.strictObject({ name: z.string().min(1).max(60) });
const chatBody = z.strictObject({ from: z.string().min(1).max(60), text: z.string().min(1).max(500) });
const noBody = z.strictObject({});

/** Serves the control page and the control API over plain HTTP. */
export async function startControlServer(options: {
  rooms: RoomRegistry;
  pageChanges: PageChanges;
  zoomAccounts: OauthAccounts;
  calendars: SimulatedCalendars;
  googleDomains: GoogleDomains;
  microsoftAccounts: MicrosoftAccounts;
  speech: SpeechProviders;
  info: ControlInfo;
  host: string;
  port: number;
  log: SimulatorLog;
}): Promise<ControlServer> {
  const app = express();
  app.disable('x-powered-by');
  app.use('/speech-control', options.speech.control);
  app.use('/speech', options.speech.routes);
  app.use(express.json({ limit: LARGEST_BODY_BYTES }));
  app.use(express.static(SITE_FOLDER, { cacheControl: false }));
  app.get('/info', (_request, response) => response.json(options.info));
  addRoomRoutes(app, options.rooms, options.info);
  addMemberRoutes(app, options.rooms);
  addReceivedRoutes(app, options.rooms);
  addZoomRoutes(app, options.zoomAccounts);
  app.use(calendarRoutes(options.calendars));
  app.use(pageChangeRoutes(options.pageChanges));
  addSignInRoutes(app, options);
  app.use((request, _response, next) =>
    next(new RoomRefused(`There is nothing at ${request.method} ${request.path}.`, 404, null)),
  );
  app.use(sendFailure(options.log));
  const server = createServer(app);
  server.on('upgrade', (request, socket, head) => options.speech.live.upgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    url: `http://${options.host}:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      options.speech.live.cut();
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function addRoomRoutes(app: express.Express, rooms: RoomRegistry, info: ControlInfo): void {
  app.post('/rooms', async (request, response) => {
    const hosted = await rooms.start(readControlBody(roomOptionsSchema, request, { preset: info.preset }));
    response.status(201).json(describeRoom(hosted, info));
  });
  app.get('/rooms', (_request, response) => {
    response.json({ rooms: rooms.all().map((hosted) => describeRoom(hosted, info)) });
  });
  app.get('/rooms/:code', (request, response) => {
    response.json(describeRoom(findRoom(rooms, request), info));
  });
  app.get('/rooms/:code/log', (request, response) => {
    response.json({ log: findRoom(rooms, request).room.log() });
  });
  app.get('/scenarios', (_request, response) => {
    response.json({ scenarios });
  });
  app.post('/rooms/:code/faults', (request, response) => {
    const fault = readControlBody(faultSchema, request);
    findRoom(rooms, request).faults.strike(fault);
    response.status(201).json(fault);
  });
  app.post('/rooms/:code/events', (request, response) => {
    const event = readControlBody(roomEventSchema, request);
    const { room } = findRoom(rooms, request);
    if (!happen(room, event)) throw new RoomRefused(`That could not be done now: ${event.do}.`, 409, 'do');
    response.status(201).json(event);
  });
  app.post('/rooms/:code/end', (request, response) => {
    readControlBody(noBody, request);
    findRoom(rooms, request).room.end();
    response.json({ ended: true });
  });
  app.delete('/rooms/:code', (request, response) => {
    if (!rooms.delete(codeOf(request))) throw noSuchRoom(request);
    response.status(204).end();
  });
}

function addMemberRoutes(app: express.Express, rooms: RoomRegistry): void {
  app.post('/rooms/:code/admit', (request, response) => {
    const { name } = readControlBody(nameMaybe, request);
    sendCount(response, findRoom(rooms, request).room.admit(name), 'admitted', 'No participant waits');
  });
  app.post('/rooms/:code/refuse', (request, response) => {
    const { name } = readControlBody(nameMaybe, request);
    sendCount(response, findRoom(rooms, request).room.refuse(name), 'refused', 'No participant waits');
  });
  app.post('/rooms/:code/remove', (request, response) => {
    const { name } = readControlBody(nameNeeded, request);
    sendCount(
      response,
      findRoom(rooms, request).room.remove(name),
      'removed',
      'No participant in the call has this name',
    );
  });
  app.post('/rooms/:code/participants/:index/leave', (request, response) => {
    readControlBody(noBody, request);
    const left = findRoom(rooms, request).room.participantLeaves(Number(request.params['index']));
    sendCount(response, left ? 1 : 0, 'left', 'No such participant is in the call');
  });
  app.post('/rooms/:code/chat', (request, response) => {
    const { from, text } = readControlBody(chatBody, request);
    const { room } = findRoom(rooms, request);
    const sender = room.membersInCall().find((member) => member.name === from);
    const message = sender && room.chat(sender.deviceId, text);
    if (!message) throw new RoomRefused(`No participant named ${from} is in the call.`, 404, 'from');
    response.status(201).json(message);
  });
}

/** The media that a browser sends, as image and audio files. */
function addReceivedRoutes(app: express.Express, rooms: RoomRegistry): void {
  const reply = (type: string, decode: (received: ReceivedMedia) => Promise<Buffer | null>) => {
    return async (request: Request, response: Response): Promise<void> => {
      const received = findRoom(rooms, request).received.find(String(request.params['id']));
      const content = received === null ? null : await decode(received);
      if (content === null) throw new RoomRefused('Nothing of that has come from such a browser yet.', 404, 'id');
      response.type(type).send(content);
    };
  };
  app.get('/rooms/:code/attendees/:id/picture.png', reply('image/png', lastImage));
  app.get('/rooms/:code/attendees/:id/sound.wav', reply('audio/wav', lastAudio));
}

/**
 * Zoom's accounts: consents, faults and counts; and, below `/zoom`, the APIs of `zoom.us` and `api.zoom.us`, for services
 * that do not go through a browser's name resolution.
 */
function addZoomRoutes(app: express.Express, accounts: OauthAccounts): void {
  app.post('/zoom/consents', (request, response) => {
    const options = readControlBody(consentOptions, request);
    response
      .status(201)
      .json({ ...accounts.consent(options), userId: options.userId, redirectUri: options.redirectUri });
  });
  app.post('/zoom/users/:id/revoke', (request, response) => {
    readControlBody(noBody, request);
    sendCount(response, accounts.revoke(request.params.id), 'revoked', 'No user with this id has authorised an app');
  });
  app.post('/zoom/faults', (request, response) => {
    const fault = readControlBody(oauthFaultSchema, request);
    accounts.strike(fault);
    response.status(201).json(fault);
  });
  app.delete('/zoom/faults', (_request, response) => {
    accounts.heal();
    response.status(204).end();
  });
  app.get('/zoom/counts', (_request, response) => response.json(accounts.counts));
  app.use('/zoom', oauthRoutes(accounts));
}

/**
 * Domains and accounts for signing in; and, below `/google/<host>`, the responses of Google's hosts, for services that
 * do not use a browser's name resolution.
 */
function addSignInRoutes(
  app: express.Express,
  { googleDomains, microsoftAccounts }: { googleDomains: GoogleDomains; microsoftAccounts: MicrosoftAccounts },
): void {
  app.post('/google-domains', (request, response) => {
    const domain = readControlBody(googleDomainSchema, request);
    googleDomains.set(domain);
    response.status(201).json(domain);
  });
  app.get('/google-domains/log', (_request, response) => response.json({ log: googleDomains.log }));
  app.post('/microsoft-accounts', (request, response) => {
    const account = readControlBody(microsoftAccountSchema, request);
    microsoftAccounts.set(account);
    response.status(201).json({ email: account.email });
  });
  const hosts = new WeakMap<Request, string>();
  app.use('/google/:host', (request, _response, next) => {
    hosts.set(request, String(request.params['host']));
    next();
  });
  app.use(
    '/google/:host',
    googleRoutes(googleDomains, (request) => hosts.get(request) ?? ''),
  );
}

function codeOf(request: Request): string {
  return String(request.params['code']).toLowerCase();
}

function noSuchRoom(request: Request): RoomRefused {
  return new RoomRefused(`There is no room ${codeOf(request)}. GET /rooms lists them.`, 404, 'code');
}

function findRoom(rooms: RoomRegistry, request: Request): HostedRoom {
  const hosted = rooms.find(codeOf(request));
  if (hosted === null) throw noSuchRoom(request);
  return hosted;
}

function sendCount(response: Response, count: number, done: string, none: string): void {
  if (count === 0) throw new RoomRefused(`${none}.`, 404, null);
  response.json({ [done]: count });
}

function sendFailure(log: SimulatorLog): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (error instanceof RoomRefused) {
      response.status(error.status).json({ error: error.message, field: error.field });
      return;
    }
    const status = (error as { status?: number }).status ?? 500;
    const message = error instanceof Error ? error.message : String(error);
    if (status >= 500)
      log.error({ method: request.method, path: request.path, error: message }, 'A control call failed.');
    response.status(status).json({ error: message, field: null });
  };
}

/** A room in the control API. Times: `clockZero` and `...At` are epoch ms, `startMs`/`endMs` ms in the loop. */
function describeRoom(hosted: HostedRoom, info: { linkHosts: Readonly<Record<PlatformName, string>> }) {
  const { room, options, participants, schedule } = hosted;
  const { linkedHost, linkPath } = addressOf(options.platform);
  const path = linkPath(room.code, options);
  return {
    code: room.code,
    platform: options.platform,
    url: `https://${info.linkHosts[options.platform]}${path}`,
    realUrl: `https://${linkedHost}${path}`,
    state: room.endedAt === null ? 'running' : 'ended',
    endedAt: room.endedAt,
    clockZero: room.clockZero,
    loopSeconds: options.loopSeconds,
    framesPerSecond: options.framesPerSecond,
    options,
    participants: room.participants().map(({ member, inCall }, index) => ({
      index,
      name: member.name,
      voice: participants[index]?.voice[0]?.name ?? '',
      inCall,
      deviceId: member.deviceId,
      audioStreamId: member.audioStreamId,
      videoStreamId: member.videoStreamId,
    })),
    schedule,
    lobby: attendeesIn(hosted, 'lobby'),
    attendees: attendeesIn(hosted, 'inCall'),
    formerAttendees: room
      .attendees()
      .filter((attendee) => attendee.state !== 'lobby' && attendee.state !== 'inCall')
      .map(({ id, name, state }) => ({ id, name, state })),
  };
}

function attendeesIn(hosted: HostedRoom, state: 'lobby' | 'inCall') {
  return hosted.room
    .attendees()
    .filter((attendee) => attendee.state === state)
    .map(({ id, name, deviceId, requestedAt, joinedAt, camera, microphone, videoPackets }) => ({
      id,
      name,
      deviceId,
      requestedAt,
      joinedAt,
      camera: onOrOff(camera),
      microphone: onOrOff(microphone),
      received: hosted.received.find(id)?.figures ?? null,
      sent: { videoPackets },
    }));
}

function onOrOff(state: boolean | undefined): 'on' | 'off' {
  return state === true ? 'on' : 'off';
}
