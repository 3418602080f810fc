import type { PagePack } from '@rapporteur/contracts';
import { loadPageScript } from '@rapporteur/page-scripts';
import type { Frame, Page, CDPSession } from 'playwright-core';
import { builtInPagePack } from '../page-packs/index.ts';
import type { MeetingPlatform } from '../platform.ts';
import { hidesVideos, preparePage } from '../web-client/prepare-page.ts';
import type { PlatformScript } from '../web-client/prepare-page.ts';
import { WebSession } from '../web-client/web-session.ts';
import { clientPartsOf } from '../web-client/page-client.ts';
import type { PageClient } from '../web-client/page-client.ts';
import { teamsPageReader } from './page-state.ts';
import type { TeamsPageSnapshot } from './page-state.ts';
import type { TeamsPageSelectors } from './page-snapshot.page.ts';
import type { TeamsPageOptions } from './teams.page.ts';
import { TeamsSignals } from './teams-signals.ts';
import type { TeamsLayers } from './teams-signals.ts';

/** Address schemes that a web page shows in a frame; those of apps are excluded. */
const framePolicy = "frame-src http: https: data: blob: about: 'self'";
const largestPage = 4 * 1024 * 1024;

/** The part of the browser's message about a held response that is read here. */
interface HeldResponse {
  readonly requestId: string;
  readonly responseStatusCode?: number | undefined;
  readonly responseErrorReason?: string | undefined;
  readonly responseHeaders?: { readonly name: string; readonly value: string }[] | undefined;
}

/**
 * Keeps frames in a page's markup from calling an app (`<iframe src="msteams:…">`): Chromium would show a prompt over
 * the page and drop every press meanwhile. Such a page gets a policy that allows frames of the web only. A browser
 * without this protocol continues without it.
 */
async function refuseAppFrames(page: Page, appSchemes: readonly string[]): Promise<void> {
  const session = await page
    .context()
    .newCDPSession(page)
    .catch(() => null);
  if (session === null) return;
  const callsApp = new RegExp(`["'](${appSchemes.join('|')}):`, 'i');
  session.on('Fetch.requestPaused', (held) => {
    // A closed page needs no response.
    void pass(session, held, callsApp).catch(() => undefined);
  });
  const patterns = [{ urlPattern: '*', resourceType: 'Document' as const, requestStage: 'Response' as const }];
  await session.send('Fetch.enable', { patterns }).catch(() => undefined);
}

async function pass(session: CDPSession, held: HeldResponse, callsApp: RegExp): Promise<void> {
  const { requestId, responseStatusCode: status = 0, responseHeaders = [] } = held;
  const page = status >= 200 && status < 300 ? await bodyOf(session, requestId) : null;
  if (page === null || page.length > largestPage || !callsApp.test(page.toString('utf8'))) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  const kept = responseHeaders.filter(({ name }) => !/^content-(length|encoding)$/i.test(name));
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: [...kept, { name: 'content-security-policy', value: framePolicy }],
    body: page.toString('base64'),
  });
}

async function bodyOf(session: CDPSession, requestId: string): Promise<Buffer | null> {
  try {
    const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
    return Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  } catch {
    return null;
  }
}

/**
 * Microsoft Teams' web client, full or light. The browser's locale sets English: the address has no parameter for it.
 */
export const createTeamsClient = (pack: PagePack): PageClient<TeamsPageSnapshot> => ({
  ...clientPartsOf(pack),
  driverName: 'rapporteurTeams',
  longestName: 60,
  longestMessage: 500,
  openAddress: (joinUrl) => joinUrl,
  read: teamsPageReader(pack),
  emptySnapshot: (host) => ({
    host,
    text: '',
    notices: [],
    dialogs: [],
    buttons: [],
    nameField: false,
    joinButton: false,
    canJoin: false,
    webJoin: false,
    lobbyScreen: false,
    hangup: false,
    callControls: 0,
    stage: false,
    callEndedScreen: false,
    signInForm: false,
    tiles: [],
    chatRows: [],
    globals: null,
  }),
  frameOf: clientFrameOf,
});

/** The light client is in a frame of an otherwise empty page. */
function clientFrameOf(page: Page): Frame {
  const main = page.mainFrame();
  const light = page
    .frames()
    .filter((frame) => frame !== main && /^https:\/\/[^/]+\/light-meetings\//.test(frame.url()));
  return light.at(-1) ?? main;
}

const pageScript = new URL('./teams.page.ts', import.meta.url);
const postName = 'rapporteurTeamsPost';
const appSchemes = ['msteams', 'ms-teams'];
const allLayers: TeamsLayers = {
  rosterFrames: true,
  rosterResponses: true,
  conversationEnd: true,
  globals: true,
  contributingSources: true,
  dominantSpeaker: true,
  outlines: true,
};

/** Microsoft Teams in the browser. `layers` disables signal layers, to test the others. */
export function createTeamsPlatform(
  layers: Partial<TeamsLayers> = {},
  pack: PagePack = builtInPagePack('teams'),
): MeetingPlatform {
  const client = createTeamsClient(pack);
  return {
    name: 'teams',
    preload: () => void loadPageScript(pageScript),
    prepare: async (page, ports, devices, videos) => {
      let session: WebSession<TeamsPageSnapshot> | null = null;
      const chosen = { ...allLayers, ...layers };
      const options: TeamsPageOptions = { selectors: pack.page as TeamsPageSelectors, postName, layers: chosen };
      const platform: PlatformScript = {
        content: loadPageScript(pageScript, options),
        postName,
        receive: (frame, post) => {
          if (frame === client.frameOf?.(page)) session?.receive(post);
        },
      };
      const [prepared] = await Promise.all([
        preparePage(page, ports, { devices, videos, hides: hidesVideos, platform }),
        refuseAppFrames(page, appSchemes),
      ]);
      session = new WebSession(page, { ...ports, ...prepared }, client, (host) => new TeamsSignals(host, chosen));
      return session;
    },
  };
}
