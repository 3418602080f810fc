import type { PagePack } from '@rapporteur/contracts';
import { loadPageScript } from '@rapporteur/page-scripts';
import { builtInPagePack } from '../page-packs/index.ts';
import type { MeetingPlatform } from '../platform.ts';
import type { PageClient } from '../web-client/page-client.ts';
import { preparePage } from '../web-client/prepare-page.ts';
import type { PlatformScript } from '../web-client/prepare-page.ts';
import { WebSession } from '../web-client/web-session.ts';
import type { ZoomPageSelectors } from '../zoom/page-snapshot.page.ts';
import { createZoomClient } from '../zoom/zoom-client.ts';
import { zoomHides } from '../zoom/zoom-platform.ts';
import { zoomSdkPageReader } from './page-state.ts';
import type { ZoomSdkSnapshot } from './page-state.ts';
import { authorizedUserAbsent, notStarted, passing } from './sdk-codes.ts';
import { concealed, withoutTokens } from './without-tokens.ts';
import { leftAddress, libraryAddress, meetingAddress, sdkOrigin, serveSdkPage } from './zoom-sdk-page.ts';
import type { SdkSource } from './zoom-sdk-page.ts';
import { ZoomSdkSignals } from './zoom-sdk-signals.ts';
import type { SdkCredentials, ZoomSdkPageOptions } from './zoom-sdk.page.ts';

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
