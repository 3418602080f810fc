import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type express from 'express';
import { organizerOf, passcodeOf } from '../sites/platforms.ts';
import { createSiteApp } from '../sites/site-app.ts';
import type { Site, SiteDependencies } from '../sites/site.ts';
import { ClientSockets } from '../sites/client-sockets.ts';
import { microsoftRoutes, teamsSignedIn } from '../sign-in/microsoft-accounts.ts';
import { rosterOf } from './roster-frames.ts';
import { teamsDialect } from './teams-call.ts';
import { teamsOptionsSchema } from './teams-options.ts';
import type { TeamsOptions } from './teams-options.ts';

const SITE_FOLDER = join(import.meta.dirname, 'site');
const LOGIN_HOST = 'login.microsoftonline.com';
/** The response of the real service's entry point while it fails: no page, only this. */
const UNAVAILABLE_BODY = '503 Service Unavailable: the service is busy. Come back later.';
const MOST_MEETINGS_REMEMBERED = 1_000;
/** User agents of systems on which a browser can hand a `msteams:` link to the app. */
const hasApp = /Windows NT|Macintosh/;

/** The Microsoft-Teams-like site: launcher, full and light client. */
export function createTeamsSite(dependencies: SiteDependencies): Site {
  const sockets = new ClientSockets(dependencies, 'teams', teamsDialect);
  return {
    platform: 'teams',
    response: siteApp(dependencies),
    acceptSocket: (request, stream, head) => sockets.accept(request, stream, head),
    stop: () => sockets.stop(),
  };
}

function siteApp(dependencies: SiteDependencies): express.Express {
  const app = createSiteApp(SITE_FOLDER);
  const login = microsoftRoutes(dependencies.microsoftAccounts);
  app.use((request, response, next) => (request.hostname === LOGIN_HOST ? login(request, response, next) : next()));
  app.get('/simulated-sign-in', teamsSignedIn);
  app.get('/api/meeting/:code', (request, response) => response.json(describeMeeting(dependencies, request)));
  app.get('/api/conversation/:code/roster', (request, response) => {
    const hosted = dependencies.rooms.find(request.params.code);
    const attendee = hosted?.room.attendees().find(({ id }) => id === request.query['attendee']);
    if (!hosted || attendee?.state !== 'inCall') return response.status(403).end();
    return response.json({ roster: { participants: rosterOf(hosted.room.membersInCall()) } });
  });
  app.get(/^\/(?:meet|l\/meetup-join)\//, badMoments(dependencies));
  app.get('/{*path}', (request, response) => {
    response.setHeader('cache-control', 'no-store');
    const page = pageOf(request);
    if (page === 'launcher.html') return response.type('html').send(launcherPage(callsApp(dependencies, request)));
    return response.sendFile(join(SITE_FOLDER, page));
  });
  return app;
}

const launcher = readFileSync(join(SITE_FOLDER, 'launcher.html'), 'utf8');

/** A browser that follows the frame shows a prompt about the app, and handles no press in the page meanwhile. */
function launcherPage(withFrame: boolean): string {
  const frame =
    '<iframe id="teamsLauncher" title="launcher" src="msteams:/l/meetup-join/" style="display: none"></iframe>';
  return launcher.replace('<!--app-frame-->', withFrame ? frame : '');
}

function callsApp(dependencies: SiteDependencies, request: express.Request): boolean {
  const { msLaunch, suppressPrompt } = request.query;
  const teams = dependencies.rooms.find(codeIn(request))?.options.teams ?? teamsOptionsSchema.parse({});
  const { appLink } = teams;
  return showsLauncher(teams, request) && appLink !== 'none' && msLaunch !== 'false' && suppressPrompt !== 'true';
}

/** Whether this browser gets the page that offers the app. */
function showsLauncher({ launcher: comesFirst, offersApp }: TeamsOptions, request: express.Request): boolean {
  return comesFirst && (offersApp === 'everyone' || hasApp.test(request.headers['user-agent'] ?? ''));
}

function codeIn(request: express.Request): string {
  return /\d{13}/.exec(request.originalUrl)?.[0] ?? '';
}

/** Responds to the first loads of a meeting's link with 503, where the meeting is configured so. */
function badMoments(dependencies: SiteDependencies): express.RequestHandler {
  const loads = new Map<string, number>();
  return (request, response, next) => {
    const code = codeIn(request);
    const wanted = dependencies.rooms.find(code)?.options.teams.unavailableLoads ?? 0;
    const before = loads.get(code) ?? 0;
    if (before >= wanted) return next();
    if (loads.size >= MOST_MEETINGS_REMEMBERED) loads.clear();
    loads.set(code, before + 1);
    response.status(503).type('text/plain').send(UNAVAILABLE_BODY);
  };
}

function pageOf(request: express.Request): string {
  if (request.hostname === LOGIN_HOST) return 'login.html';
  if (request.path.startsWith('/v2')) return 'client.html';
  // The client's own frame has an address below that of the page around it.
  if (request.path.startsWith('/light-meetings/launch/')) return 'client.html';
  if (request.path.startsWith('/light-meetings/launch')) return 'light.html';
  return 'launcher.html';
}

/** The page's description of the meeting; a wrong passcode has the same response as no meeting. */
function describeMeeting(dependencies: SiteDependencies, request: express.Request<{ code: string }>) {
  const { code } = request.params;
  const hosted = dependencies.rooms.find(code);
  const keys: unknown[] = [passcodeOf(code), organizerOf(code).organizerId];
  if (hosted?.options.platform !== 'teams' || !keys.includes(request.query['p'])) return { known: false };
  const { teams, chat } = hosted.options;
  const pageChange = dependencies.pageChanges.of(hosted.options);
  return { known: true, teams: { ...teams, launcher: showsLauncher(teams, request), chat }, pageChange };
}
