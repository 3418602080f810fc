import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { PagePack } from '@rapporteur/contracts';
import { loadPageScript } from '@rapporteur/page-scripts';
import type { Page, Route } from 'playwright-core';
import { builtInPagePack } from '../page-packs/index.ts';
import type { MeetingPlatform, ChatMessage } from '../platform.ts';
import type { PageClient } from '../web-client/page-client.ts';
import { preparePage } from '../web-client/prepare-page.ts';
import type { PlatformScript } from '../web-client/prepare-page.ts';
import { WebSession } from '../web-client/web-session.ts';
import type { PlatformSignals, SessionHost } from '../web-client/web-session.ts';
import type { ZoomPageSelectors } from '../zoom/page-snapshot.page.ts';
import { createZoomClient, zoomHides } from '../zoom/zoom-platform.ts';
import type { ZoomRoster } from '../zoom/participants.ts';
import { ZoomSignals } from '../zoom/zoom-signals.ts';
import { zoomSdkPageReader, authorizedUserAbsent, notStarted, passing } from './page-state.ts';
import type { ZoomSdkSnapshot } from './page-state.ts';
import type { SdkCredentials, ZoomSdkPageOptions, SdkChatPost } from './zoom-sdk.page.ts';

/** Origin of the page with the SDK: a host outside DNS, served by this process for this page only. */
export const sdkOrigin = 'https://zoom-sdk.rapporteur.invalid';
export const meetingAddress = `${sdkOrigin}/meeting`;
const leftAddress = `${sdkOrigin}/left`;
const libraryAddress = `${sdkOrigin}/sdk/lib`;

/** `package`: the npm package of this build. `simulator`: the simulator's fake, under the host of the real one. */
type SdkSource = 'package' | 'simulator';

export const sdkVersion = '6.2.0';
const simulatedScripts = [`https://source.zoom.us/${sdkVersion}/zoom-meeting-${sdkVersion}.min.js`];
const packagedScripts = [
  ...['react', 'react-dom', 'redux', 'redux-thunk', 'lodash'].map((name) => `/sdk/lib/vendor/${name}.min.js`),
  '/sdk/zoom-meeting.js',
];

/** The SDK's threads need shared memory, which a browser gives to isolated pages only. */
const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.cur': 'image/x-icon',
};

/** Responds to every request to that origin; nothing of it leaves this machine. */
export async function serveSdkPage(page: Page, source: SdkSource): Promise<void> {
  const folder = source === 'package' ? packageFolder() : null;
  await page.route(`${sdkOrigin}/**`, (route) => response(route, folder));
}

/** Throws when the package is not installed. */
function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@zoom/meetingsdk/package.json'));
}

async function response(route: Route, folder: string | null): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const page = pathname === '/meeting' ? meetingPage(folder === null ? simulatedScripts : packagedScripts) : null;
  const fixed = page ?? (pathname === '/left' ? '<!doctype html><title>Left</title>' : null);
  if (fixed !== null) {
    return await route.fulfill({ contentType: 'text/html; charset=utf-8', headers: isolation, body: fixed });
  }
  const file = folder === null ? null : fileOf(pathname);
  const body = file === null || folder === null ? null : await readFile(join(folder, file)).catch(() => null);
  if (body === null) return await route.fulfill({ status: 404, headers: isolation, body: '' });
  const contentType = contentTypes[extname(pathname)] ?? 'application/octet-stream';
  await route.fulfill({ contentType, headers: isolation, body });
}

/** The path of a file in the package; null for files that the page must not read. */
export function fileOf(pathname: string): string | null {
  if (pathname === '/sdk/zoom-meeting.js') return `dist/zoom-meeting-${sdkVersion}.min.js`;
  const path = /^\/sdk\/lib\/((?:[\w-][\w.-]*\/)*[\w-][\w.-]*)$/.exec(pathname)?.[1];
  if (path === undefined) return null;
  return path.startsWith('ui/') ? `dist/${path}` : `dist/lib/${path}`;
}

/** A name and a button, as on the web client's own page: the SDK takes over once it is pressed. */
function meetingPage(scripts: readonly string[]): string {
  const tags = scripts.map((src) => `<script src="${src}"></script>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Zoom Meeting SDK</title></head>
<body>
<main id="rapporteur-join" hidden>
<input id="input-for-name" placeholder="Your Name" maxlength="64" autocomplete="off">
<button type="button" class="preview-join-button">Join</button>
</main>
${tags}
</body>
</html>
`;
}

const mostRemembered = 2_000;

/**
 * The web client's layers, and the SDK's own chat messages: each message is reported once, from the first layer that
 * has it.
 */
class ZoomSdkSignals implements PlatformSignals<ZoomSdkSnapshot> {
  readonly #host: SessionHost<ZoomSdkSnapshot>;
  readonly #zoom: ZoomSignals;
  readonly roster: ZoomRoster;
  /** How often one layer has delivered a message that the other has not. */
  readonly #ahead = new Map<string, number>();

  constructor(host: SessionHost<ZoomSdkSnapshot>) {
    this.#host = host;
    const reported: SessionHost<ZoomSdkSnapshot> = { ...host, reportChat: (messages) => this.#notify(messages, 1) };
    this.#zoom = new ZoomSignals(reported);
    this.roster = this.#zoom.roster;
  }

  receive(post: unknown): void {
    if (!isChatPost(post)) return this.#zoom.receive(post);
    const sender = this.roster.find(post.senderId);
    const { id, senderId, text, sentAtMs } = post;
    const senderName = sender?.name ?? post.senderName;
    // The bot's own message counts when the page shows it.
    if (sender?.isSelf === true || senderName === this.#host.botName()) return;
    this.#notify([{ id, senderId, senderName, text, sentAtMs, own: false }], -1);
  }

  seen(snapshot: ZoomSdkSnapshot, nowMs: number): void {
    this.#zoom.seen(snapshot, nowMs);
  }

  stop(): void {
    this.#zoom.stop();
  }

  #notify(messages: readonly ChatMessage[], layer: 1 | -1): void {
    this.#host.reportChat(messages.filter((message) => message.own || this.#isFirst(message, layer)));
  }

  #isFirst({ senderName, text }: ChatMessage, layer: 1 | -1): boolean {
    const key = `${senderName}\n${text.replaceAll(/\s+/g, ' ').trim()}`;
    const ahead = (this.#ahead.get(key) ?? 0) + layer;
    if (ahead === 0) this.#ahead.delete(key);
    else if (this.#ahead.size < mostRemembered || this.#ahead.has(key)) this.#ahead.set(key, ahead);
    return Math.sign(ahead) === layer;
  }
}

function isChatPost(post: unknown): post is SdkChatPost {
  if (typeof post !== 'object' || post === null) return false;
  const { kind, id, senderId, senderName, text, sentAtMs } = post as Record<string, unknown>;
  const strings = [id, senderId, senderName, text].every((value) => typeof value === 'string');
  return kind === 'sdk-chat' && strings && typeof sentAtMs === 'number';
}

/** Replaces a secret in logs. */
const concealed = '•••';

/** Characters of a signed token with its three parts, and its beginning. */
const tokenCharacters = /[\w.-]+/g;
const tokenStart = /\beyJ[\w-]{8}/;

/** The text without signed tokens at any position. */
export function withoutTokens(text: string): string {
  return text.replaceAll(tokenCharacters, (word) => {
    const start = word.search(tokenStart);
    return start >= 0 && word.includes('.', start) ? `${word.slice(0, start)}${concealed}` : word;
  });
}

/** The credentials of a bot besides the signature. */
export interface SdkTokens {
  readonly obf: string | null;
  readonly zak: string | null;
}

export interface ZoomSdkOptions {
  /** The app's signature for this meeting; it names the app. */
  signature(meetingNumber: string): string;
  /** Called for each join and each retry: tokens, or which of them are missing. */
  tokens(): Promise<SdkTokens | { readonly missing: 'obf' | 'zak' }>;
  readonly source: SdkSource;
  /** Time limit for a host to grant or refuse the permission to record. */
  readonly recordingResponseMs: number;
  /** The built-in one if omitted. */
  readonly pack?: PagePack;
  /** Shorter waits, for tests. */
  readonly waits?: Partial<SdkWaits>;
}

export interface SdkWaits {
  /** The SDK takes one join in ten seconds. */
  readonly authorizedUserMs: number;
  readonly hostMs: number;
  readonly passingMs: number;
  readonly recordingStartMs: number;
}

const postName = 'rapporteurZoomPost';
const credentialsName = 'rapporteurZoomSdkCredentials';
const usualWaits: SdkWaits = { authorizedUserMs: 10_000, hostMs: 15_000, passingMs: 10_000, recordingStartMs: 20_000 };
/** The simulator is on this machine; a browser does not let pages of the internet connect to it. */
const permissions: Readonly<Record<SdkSource, string[]>> = {
  package: ['camera', 'microphone'],
  simulator: ['camera', 'microphone', 'local-network-access'],
};
const mostPassing = 3;

const pageScript = new URL('./zoom-sdk.page.ts', import.meta.url);

/** Zoom through the Meeting SDK for Web, with an app's signature and a user's token. */
export function createZoomSdkPlatform(given: ZoomSdkOptions): MeetingPlatform {
  const pack = given.pack ?? builtInPagePack('zoom');
  return {
    name: 'zoom',
    preload: () => void loadPageScript(pageScript),
    prepare: async (page, ports, devices, videos) => {
      let session: WebSession<ZoomSdkSnapshot> | null = null;
      const dispatcher = new CredentialsDispatcher(given);
      const client = createZoomSdkClient(pack, dispatcher);
      const platform: PlatformScript = {
        content: loadPageScript(pageScript, pageOptions(pack, given)),
        postName,
        receive: (frame, post) => {
          if (frame === page.mainFrame()) session?.receive(post);
        },
      };
      const [prepared] = await Promise.all([
        preparePage(page, ports, { devices, videos, hides: zoomHides, platform }),
        page.context().grantPermissions(permissions[given.source], { origin: sdkOrigin }),
        serveSdkPage(page, given.source),
        page.exposeBinding(credentialsName, async ({ frame }) =>
          frame === page.mainFrame() && new URL(frame.url()).origin === sdkOrigin ? await dispatcher.give() : null,
        ),
      ]);
      session = new WebSession(page, { ...ports, ...prepared }, client, (host) => new ZoomSdkSignals(host));
      return session;
    },
  };
}

function pageOptions(pack: PagePack, { source, recordingResponseMs, waits }: ZoomSdkOptions): ZoomSdkPageOptions {
  const { authorizedUserMs, hostMs, passingMs, recordingStartMs } = { ...usualWaits, ...waits };
  return {
    selectors: pack.page as ZoomPageSelectors,
    postName,
    layers: { roster: true, levels: true, activeSpeakers: true, tiles: true },
    origin: sdkOrigin,
    leftAddress,
    libraryAddress: source === 'package' ? libraryAddress : null,
    credentialsName,
    again: { authorizedUserAbsent, notStarted, passing, authorizedUserMs, hostMs, passingMs, mostPassing },
    recording: { responseMs: recordingResponseMs, startMs: recordingStartMs },
  };
}

/** Gives the page the credentials of the join, and removes secrets from logs. */
class CredentialsDispatcher {
  readonly #options: ZoomSdkOptions;
  readonly #secrets = new Set<string>();
  #joinUrl: URL | null = null;

  constructor(options: ZoomSdkOptions) {
    this.#options = options;
  }

  meeting(joinUrl: string): void {
    this.#joinUrl = new URL(joinUrl);
  }

  async give(): Promise<SdkCredentials> {
    const tokens = await this.#options.tokens();
    if ('missing' in tokens) return { given: false, missing: tokens.missing };
    for (const token of [tokens.obf, tokens.zak]) if (token !== null) this.#secrets.add(token);
    const meetingNumber = /\/wc\/(\d+)\//.exec(this.#joinUrl?.pathname ?? '')?.[1] ?? '';
    const signature = this.#options.signature(meetingNumber);
    this.#secrets.add(signature);
    return {
      given: true,
      signature,
      meetingNumber,
      passWord: this.#joinUrl?.searchParams.get('pwd') ?? '',
      tk: this.#joinUrl?.searchParams.get('tk') ?? null,
      obfToken: tokens.obf,
      zak: tokens.zak,
    };
  }

  conceal(text: string): string {
    let shown = text;
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, concealed);
    return withoutTokens(shown);
  }
}

function createZoomSdkClient(pack: PagePack, dispatcher: CredentialsDispatcher): PageClient<ZoomSdkSnapshot> {
  const { reopens: _reopens, frameOf: _frameOf, passcodeOf: _passcodeOf, ...zoom } = createZoomClient(pack, 0);
  return {
    ...zoom,
    openAddress: (joinUrl) => {
      dispatcher.meeting(joinUrl);
      return meetingAddress;
    },
    read: zoomSdkPageReader(pack),
    emptySnapshot: (host) => ({ ...zoom.emptySnapshot(host), sdk: null }),
    conceal: (text) => dispatcher.conceal(text),
    recordingRight: { given: ({ sdk }) => sdk?.right === 'recording' },
  };
}
