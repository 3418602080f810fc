import { join } from 'node:path';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCalendars } from './calendars/calendars.ts';
import type { SimulatedCalendars } from './calendars/calendars.ts';
import { loadCertificate } from './certificate.ts';
import type { Certificate } from './certificate.ts';
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
import { addressOf, platformNames, resolverRules, platformOfHost } from './sites/platforms.ts';
import type { PlatformName } from './sites/platforms.ts';
import { refuseSocket } from './sites/site.ts';
import type { Site, SiteDependencies } from './sites/site.ts';
import { GoogleDomains } from './sign-in/google-domains.ts';
import { MicrosoftAccounts } from './sign-in/microsoft-accounts.ts';
import { createSpeechProviders } from './speech-providers/speech-providers.ts';
import { createTeamsSite } from './teams/teams-site.ts';
import { OauthAccounts } from './zoom/oauth-accounts.ts';
import { simulatedApp } from './zoom/zoom-options.ts';
import { createZoomSite } from './zoom/zoom-site.ts';
import { runProgram } from './programs.ts';
import type { LiveRecognizer } from './speech-providers/live/live-recognizer.ts';
import {
  alignEnvelope,
  binMs,
  envelopeOf,
  audibleWords,
  recognizeSpeech,
  speechRateHz,
} from './speech-providers/room-speech.ts';
import type { Alignment, RoomSpeech } from './speech-providers/room-speech.ts';
import type { RecognizeRoom, TruthWord } from './speech-providers/speech-truth.ts';

const decodeMs = 120_000;

/** The speech of all rooms together, and of each of their participants alone: providers get both kinds of audio. */
function speechOf(rooms: RoomRegistry): RoomSpeech[] {
  return rooms.all().flatMap(({ schedule, options }) => {
    const loopMs = options.loopSeconds * 1_000;
    const alone = [...new Set(schedule.map(({ participantIndex }) => participantIndex))].map((index) => ({
      loopMs,
      schedule: schedule.filter(({ participantIndex }) => participantIndex === index),
    }));
    return [{ loopMs, schedule }, ...alone];
  });
}

/** Recognizes audio files of rooms that run, or ended some minutes ago. */
function recognizeIn(rooms: RoomRegistry): RecognizeRoom {
  return async (audio) => {
    const known = speechOf(rooms);
    if (known.length === 0) return null;
    const parameters = `-v error -i pipe:0 -vn -f s16le -ac 1 -ar ${speechRateHz} pipe:1`.split(' ');
    const decoding = runProgram({ program: 'ffmpeg', arguments: parameters, deadlineMs: decodeMs, input: [audio] });
    const pcm = await decoding.catch(() => null);
    return pcm === null ? null : recognizeSpeech(pcm, known);
  };
}

/** Enough to find the position in a room's loop: 6 s of damaged audio sometimes resemble another part of it. */
const leastBins = 10_000 / binMs;
/** Length of audio that is aligned. */
const mostBins = 30_000 / binMs;
const alignEveryBins = 1_000 / binMs;
const bytesPerBin = (speechRateHz * 2 * binMs) / 1_000;
/** Two mentions of one word are no further apart. */
const sameWordMs = 200;

/** Recognizes the speech of a running room. Takes some seconds of speech to identify the room. */
class RoomRecognizer implements LiveRecognizer {
  readonly #rooms: RoomRegistry;
  #held: Buffer = Buffer.alloc(0);
  #envelope: boolean[] = [];
  /** Session time of the envelope's first bin. */
  #fromMs = 0;
  #alignedBins = 0;
  #alignment: Alignment | null = null;
  #reported: TruthWord[] = [];
  isInWord = false;

  constructor(rooms: RoomRegistry) {
    this.#rooms = rooms;
  }

  take(pcm: Buffer): readonly TruthWord[] {
    const audio = Buffer.concat([this.#held, pcm]);
    const whole = audio.byteLength - (audio.byteLength % bytesPerBin);
    this.#held = Buffer.from(audio.subarray(whole));
    this.#envelope.push(...envelopeOf(audio.subarray(0, whole)));
    this.#alignedBins += whole / bytesPerBin;
    this.#forgetOld();
    if (this.#envelope.length >= leastBins && this.#alignedBins >= alignEveryBins) {
      this.#alignedBins = 0;
      this.#alignment = alignEnvelope(this.#envelope, speechOf(this.#rooms));
    }
    this.isInWord = this.#envelope.at(-1) === true;
    return this.#alignment === null ? [] : this.#newWords(this.#alignment);
  }

  #newWords(alignment: Alignment): TruthWord[] {
    const words = audibleWords(this.#envelope, alignment)
      .map((word) => ({ ...word, startMs: word.startMs + this.#fromMs, endMs: word.endMs + this.#fromMs }))
      .filter((word) => !this.#reported.some((reported) => isSame(reported, word)));
    const lastMs = this.#reported.at(-1)?.startMs ?? 0;
    const later = words.filter(({ startMs }) => startMs >= lastMs - sameWordMs);
    this.#reported.push(...later);
    return later;
  }

  #forgetOld(): void {
    const extra = this.#envelope.length - mostBins;
    if (extra <= 0) return;
    this.#envelope.splice(0, extra);
    this.#fromMs += extra * binMs;
    // The alignment is of the envelope's first bin.
    if (this.#alignment !== null) {
      const { speech, offsetMs, score } = this.#alignment;
      this.#alignment = { speech, score, offsetMs: (offsetMs + extra * binMs) % speech.loopMs };
    }
    this.#reported = this.#reported.filter(({ endMs }) => endMs >= this.#fromMs - 1_000);
  }
}

function isSame(one: TruthWord, other: TruthWord): boolean {
  return one.text === other.text && Math.abs(one.startMs - other.startMs) <= sameWordMs;
}

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
    createRoomRecognizer: () => new RoomRecognizer(rooms),
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

/** Every argument with which Chromium reaches the simulated sites and their media, as in `GET /info`. */
function chromiumArguments(site: { hostResolverRules: string; certificateSpki: string }): string[] {
  return [
    `--host-resolver-rules=${site.hostResolverRules}`,
    // Chromium ignores it without a --user-data-dir.
    `--ignore-certificate-errors-spki-list=${site.certificateSpki}`,
    '--allow-loopback-in-peer-connection',
    '--disable-features=WebRtcHideLocalIpsWithMdns',
    // QUIC does not go through the certificate exception.
    '--disable-quic',
    '--autoplay-policy=no-user-gesture-required',
    // Without these a headless browser on a machine without devices has no camera and no microphone to offer.
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
  ];
}

type SiteServer = { port: number; stop(): Promise<void> };

/** Serves every site on one HTTPS port; the host name selects the site, as on the internet. */
async function startSiteServer(options: {
  sites: readonly Site[];
  certificate: Certificate;
  host: string;
  port: number;
  /** A browser requests a page (not its resources). */
  opened: (platform: PlatformName, request: IncomingMessage) => void;
  /** The meeting's page is to receive 503. */
  refuses: (platform: PlatformName, path: string) => boolean;
}): Promise<SiteServer> {
  const { sites, certificate, opened, refuses } = options;
  const siteOf = (request: IncomingMessage): Site | undefined => {
    const platform = platformOfHost(request.headers.host ?? '');
    return sites.find((site) => site.platform === platform);
  };
  const server = createServer({ key: certificate.keyPem, cert: certificate.certificatePem }, (request, response) => {
    const site = siteOf(request);
    if (site !== undefined && requestsPage(request)) opened(site.platform, request);
    if (site !== undefined && refuses(site.platform, request.url ?? '')) return unavailable(response);
    if (site !== undefined) return site.response(request, response);
    response.writeHead(404, { 'content-type': 'text/plain' }).end('The simulator has no site under this host name.\n');
  });
  server.on('upgrade', (request, stream, head) => {
    const site = siteOf(request);
    if (site === undefined) refuseSocket(stream);
    else site.acceptSocket(request, stream, head);
  });
  const port = await listen(server, options.host, options.port);
  return {
    port,
    stop: async () => {
      await Promise.all(sites.map((site) => site.stop()));
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function requestsPage({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true;
}

function unavailable(response: ServerResponse): void {
  const page = '<!doctype html><title>Error 503 (Service Unavailable)</title><h1>503. That’s an error.</h1>';
  response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '5' }).end(page);
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
