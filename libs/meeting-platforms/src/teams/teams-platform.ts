import type { PagePack } from '@rapporteur/contracts';
import { loadPageScript } from '@rapporteur/page-scripts';
import { builtInPagePack } from '../page-packs/index.ts';
import type { MeetingPlatform } from '../platform.ts';
import { refuseAppFrames } from '../web-client/app-frames.ts';
import { hidesVideos, preparePage } from '../web-client/prepare-page.ts';
import type { PlatformScript } from '../web-client/prepare-page.ts';
import { WebSession } from '../web-client/web-session.ts';
import type { TeamsPageSnapshot } from './page-state.ts';
import type { TeamsPageSelectors } from './page-snapshot.page.ts';
import { createTeamsClient } from './teams-client.ts';
import type { TeamsPageOptions } from './teams.page.ts';
import { TeamsSignals } from './teams-signals.ts';
import type { TeamsLayers } from './teams-signals.ts';

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
