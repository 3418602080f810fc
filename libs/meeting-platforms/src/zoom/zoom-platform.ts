import type { PagePack } from '@rapporteur/contracts';
import { loadPageScript } from '@rapporteur/page-scripts';
import type { Frame, Page } from 'playwright-core';
import { builtInPagePack } from '../page-packs/index.ts';
import type { MeetingPlatform } from '../platform.ts';
import { preparePage } from '../web-client/prepare-page.ts';
import type { PlatformScript } from '../web-client/prepare-page.ts';
import type { QuietPageOptions } from '../web-client/quiet-page.page.ts';
import { WebSession } from '../web-client/web-session.ts';
import { clientPartsOf } from '../web-client/page-client.ts';
import type { PageClient } from '../web-client/page-client.ts';
import { heldAttribute } from './held-surface.page.ts';
import { notStartedRule, zoomPageReader } from './page-state.ts';
import type { ZoomPageSnapshot } from './page-state.ts';
import type { ZoomPageSelectors } from './page-snapshot.page.ts';
import type { ZoomPageLayers, ZoomPageOptions } from './client-driver.page.ts';
import { ZoomSignals } from './zoom-signals.ts';

export interface ZoomPlatformOptions {
  /** Disables signal layers, to test the others. */
  readonly layers?: Partial<ZoomPageLayers>;
  /** Interval of reopening a page that may mean "not begun yet". */
  readonly openAgainMs?: number;
  /** The built-in one if omitted. */
  readonly pack?: PagePack;
}

const pageScript = new URL('./zoom.page.ts', import.meta.url);
const postName = 'rapporteurZoomPost';
const allLayers: ZoomPageLayers = { roster: true, levels: true, activeSpeakers: true, tiles: true };
const openAgainMs = 15_000;
/**
 * The recording has what the client paints. A recorded canvas of a worker stays visible, because a browser may suspend
 * the worker of an invisible one; every other surface is painted by the page and need not be on the screen.
 */
export const zoomHides: QuietPageOptions = { hides: `video, canvas:not([${heldAttribute}])`, by: 'opacity' };

/** Zoom's web client in the browser. */
export function createZoomPlatform(given: ZoomPlatformOptions = {}): MeetingPlatform {
  const pack = given.pack ?? builtInPagePack('zoom');
  const client = createZoomClient(pack, given.openAgainMs ?? openAgainMs);
  return {
    name: 'zoom',
    preload: () => void loadPageScript(pageScript),
    prepare: async (page, ports, devices, videos) => {
      let session: WebSession<ZoomPageSnapshot> | null = null;
      const layers = { ...allLayers, ...given.layers };
      const options: ZoomPageOptions = { selectors: pack.page as ZoomPageSelectors, postName, layers };
      const platform: PlatformScript = {
        content: loadPageScript(pageScript, options),
        postName,
        receive: (frame, post) => {
          if (frame === clientFrame(page)) session?.receive(post);
        },
      };
      const [prepared] = await Promise.all([
        preparePage(page, ports, { devices, videos, hides: zoomHides, platform }),
        // The page opens both before it joins the audio of the meeting; nothing is sent unless the bot has the device.
        page.context().grantPermissions(['camera', 'microphone']),
      ]);
      session = new WebSession(page, { ...ports, ...prepared }, client, (host) => new ZoomSignals(host));
      return session;
    },
  };
}

/** Zoom's web client, at the page itself or in a frame of it. */
export function createZoomClient(pack: PagePack, openAgainMs: number): PageClient<ZoomPageSnapshot> {
  return {
    ...clientPartsOf(pack),
    driverName: 'rapporteurZoom',
    longestName: 64,
    longestMessage: 1_024,
    openAddress: (joinUrl) => joinUrl,
    passcodeOf: (joinUrl) => new URL(joinUrl).searchParams.get('pwd'),
    reopens: { rule: notStartedRule, everyMs: openAgainMs },
    chatStaysOpen: true,
    read: zoomPageReader(pack).readPage,
    emptySnapshot,
    frameOf: clientFrame,
  };
}

/** The frame's name is its id where it has no name of its own. */
function clientFrame(page: Page): Frame {
  const frames = page.mainFrame().childFrames();
  const client = frames.find((frame) => frame.name() === 'webclient' || /^https:\/\/[^/]+\/wc\//.test(frame.url()));
  return client ?? page.mainFrame();
}

function emptySnapshot(host: string): ZoomPageSnapshot {
  return {
    host,
    path: '',
    title: '',
    text: '',
    notices: [],
    dialogs: [],
    browserLink: false,
    nameField: false,
    passcodeField: false,
    canJoin: false,
    waitingRoom: false,
    endedLabel: false,
    leaveControl: false,
    footer: false,
    visibleChallenge: false,
    tiles: [],
    participants: [],
    chatOpen: false,
    chatRows: [],
  };
}
