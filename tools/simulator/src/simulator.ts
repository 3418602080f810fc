import { join } from 'node:path';
import { createCalendars } from './calendars/calendars.ts';
import type { SimulatedCalendars } from './calendars/calendars.ts';
import { loadCertificate } from './certificate.ts';
import { chromiumArguments } from './chromium-arguments.ts';
import { systemClock } from './clock.ts';
import { startControlServer } from './control/control-server.ts';
import { silentLog } from './log.ts';
import type { SimulatorLog } from './log.ts';
import { openMediaCache } from './media/media-cache.ts';
import { createMeetSite } from './meet/meet-site.ts';
import { PageChanges } from './page-changes/page-changes.ts';
import type { PresetName } from './rooms/presets.ts';
import { roomOptionsSchema } from './rooms/room-options.ts';
import { RoomRegistry } from './rooms/room-registry.ts';
import { addressOf, platformNames, resolverRules } from './sites/platforms.ts';
import type { PlatformName } from './sites/platforms.ts';
import type { Site, SiteDependencies } from './sites/site.ts';
import { startSiteServer } from './sites/site-server.ts';
import { GoogleDomains } from './sign-in/google-domains.ts';
import { MicrosoftAccounts } from './sign-in/microsoft-accounts.ts';
import { recognizeIn, RoomRecognizer } from './speech-providers/room-recognizer.ts';
import { createSpeechProviders } from './speech-providers/speech-providers.ts';
import { createTeamsSite } from './teams/teams-site.ts';
import { OauthAccounts } from './zoom/oauth-accounts.ts';
import { simulatedApp } from './zoom/zoom-options.ts';
import { createZoomSite } from './zoom/zoom-site.ts';

export type SimulatorOptions = {
  /** Keeps the certificate and the rendered media between runs. */
  dataFolder: string;
  /** The folder of rendered media, when not in the data folder: simulators may share it. */
  mediaFolder?: string;
  /** 0 = any free port. */
  httpsPort?: number;
  controlPort?: number;
  /** `127.0.0.1` (default) keeps media on loopback too. */
  host?: string;
  /** For rooms without a preset; default: `strict`. */
  preset?: PresetName;
  /** Redirect addresses of the simulated OAuth clients for calendars. */
  consentRedirects?: readonly string[];
  log?: SimulatorLog;
};

export type Simulator = {
  controlUrl: string;
  httpsPort: number;
  /** Value for Chromium's `--host-resolver-rules`. */
  hostResolverRules: string;
  /** Value for Chromium's `--ignore-certificate-errors-spki-list` (works only together with `--user-data-dir`). */
  certificateSpki: string;
  /** Every argument with which a Chromium reaches the sites and their media. */
  chromiumArguments: readonly string[];
  preset: PresetName;
  /** The default Meeting SDK app of simulated Zoom meetings. */
  sdkApp: { readonly key: string; readonly secret: string };
  /** `<platform>.simulator.localhost:<port>` for each platform: what users type into their own browser. */
  linkHosts: Readonly<Record<PlatformName, string>>;
  /** Calendars of both providers, for tests in the same process. */
  calendars: SimulatedCalendars;
  /** Renders the speech and video of a room with default options in advance. Never rejects. */
  prepareDefaultRoom(): Promise<unknown>;
  /** Ends all rooms and closes all sockets; may be called twice. */
  stop(): Promise<void>;
};

const LONGEST_PAGE_NOTE = 500;

/** Every platform's site; a new platform is a line here and one in sites/platforms.ts. */
const siteMakers: Readonly<Record<PlatformName, (dependencies: SiteDependencies) => Site>> = {
  meet: createMeetSite,
  teams: createTeamsSite,
  zoom: createZoomSite,
};

/** Starts the simulated sites and their control API. Throws when a port is taken or the folder cannot be written. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const log = options.log ?? silentLog;
  const host = options.host ?? '127.0.0.1';
  const clock = systemClock;
  const certificate = await loadCertificate(options.dataFolder, clock.now);
  const rooms = new RoomRegistry(await openMediaCache(options.mediaFolder ?? join(options.dataFolder, 'media')), clock);
  const zoomAccounts = new OauthAccounts(() => clock.now());
  const signIn = { googleDomains: new GoogleDomains(), microsoftAccounts: new MicrosoftAccounts() };
  const pageChanges = new PageChanges();
  const siteDependencies = {
    rooms,
    pageChanges,
    clock,
    loopbackOnly: host === '127.0.0.1',
    log,
    zoomAccounts,
    ...signIn,
  };
  const sites = platformNames.map((platform) => siteMakers[platform](siteDependencies));
  const server = await startSiteServer({
    sites,
    certificate,
    host,
    port: options.httpsPort ?? 0,
    opened: (platform, { url = '/', headers }) => {
      const text = `${headers.host ?? ''}${url} by ${headers['user-agent'] ?? 'an unnamed browser'}`;
      log.info({ platform, page: text }, 'A browser opened a page.');
      rooms.namedIn(platform, url)?.room.noteSession('pageOpened', text.slice(0, LONGEST_PAGE_NOTE));
    },
    refuses: (platform, path) => rooms.namedIn(platform, path)?.faults.refusesOpening === true,
  });
  const linkHosts = platformNames.map((platform) => [
    platform,
    `${addressOf(platform).linkLabel}.simulator.localhost:${server.port}`,
  ]);
  const hostResolverRules = resolverRules(`${reachableHost(host)}:${server.port}`);
  const info = {
    httpsPort: server.port,
    hostResolverRules,
    certificateSpki: certificate.spki,
    chromiumArguments: chromiumArguments({ hostResolverRules, certificateSpki: certificate.spki }),
    preset: options.preset ?? 'strict',
    sdkApp: simulatedApp,
    linkHosts: Object.fromEntries(linkHosts) as Record<PlatformName, string>,
  };
  const calendars = createCalendars(() => clock.now(), options.consentRedirects);
  const speech = createSpeechProviders({
    now: clock.now,
    recognizeRoom: recognizeIn(rooms),
    createRoomEars: () => new RoomRecognizer(rooms),
  });
  const parties = { rooms, pageChanges, zoomAccounts, calendars, speech, ...signIn };
  const controlOptions = { ...parties, info, host, port: options.controlPort ?? 0, log };
  const control = await startControlServer(controlOptions).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  log.info({ controlUrl: control.url, httpsPort: server.port }, 'The simulator is ready.');
  return {
    controlUrl: control.url,
    ...info,
    calendars,
    prepareDefaultRoom: () => rooms.prepare(roomOptionsSchema.parse({})),
    stop: async () => {
      await control.stop();
      rooms.stop();
      await server.stop();
    },
  };
}

function reachableHost(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host;
}
