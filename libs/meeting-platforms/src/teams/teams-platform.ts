import type { PagePack } from '@rapporteur/contracts';
import { loadPageScript } from '@rapporteur/page-scripts';
import type { Frame, Page } from 'playwright-core';
import { builtInPagePack } from '../page-packs/index.ts';
import type { MeetingPlatform } from '../platform.ts';
import { refuseAppFrames } from '../web-client/app-frames.ts';
import { hidesVideos, preparePage } from '../web-client/prepare-page.ts';
import type { PlatformScript } from '../web-client/prepare-page.ts';
import { WebSession } from '../web-client/web-session.ts';
import { clientPartsOf } from '../web-client/pack-client.ts';
import type { PageClient } from '../web-client/page-client.ts';
import { teamsPageReader } from './page-state.ts';
import type { TeamsPageSnapshot } from './page-state.ts';
import type { TeamsPageSelectors } from './page-snapshot.page.ts';
import type { TeamsPageOptions } from './teams.page.ts';
import { TeamsSignals } from './teams-signals.ts';
import type { TeamsLayers } from './teams-signals.ts';

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
