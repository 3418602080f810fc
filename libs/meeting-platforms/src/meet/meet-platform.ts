import type { PagePack } from '@rapporteur/contracts';
import { loadPageScript } from '@rapporteur/page-scripts';
import { builtInPagePack } from '../page-packs/index.ts';
import type { MeetingPlatform } from '../platform.ts';
import { hidesVideos, preparePage } from '../web-client/prepare-page.ts';
import type { PlatformScript } from '../web-client/prepare-page.ts';
import { WebSession } from '../web-client/web-session.ts';
import { clientPartsOf } from '../web-client/page-client.ts';
import type { PageClient } from '../web-client/page-client.ts';
import type { MeetPageLayers, MeetPageOptions } from './meet.page.ts';
import { MeetSignals } from './meet-signals.ts';
import { meetPageReader } from './page-state.ts';
import type { MeetPageSnapshot } from './page-state.ts';
import type { MeetPageSelectors } from './page-snapshot.page.ts';

/** Google Meet's web client. */
export const createMeetClient = (pack: PagePack): PageClient<MeetPageSnapshot> => ({
  ...clientPartsOf(pack),
  driverName: 'rapporteurMeet',
  longestName: 60,
  longestMessage: 500,
  openAddress: (joinUrl) => {
    const address = new URL(joinUrl);
    // The labels are a usable layer only while the page is in English.
    address.searchParams.set('hl', 'en');
    return address.href;
  },
  read: meetPageReader(pack),
  emptySnapshot: (host) => ({
    host,
    title: '',
    text: '',
    notices: [],
    dialogs: [],
    buttons: [],
    disabledButtons: [],
    waitingLabel: false,
    nameField: false,
    tiles: [],
    leaveControl: false,
    visibleChallenge: false,
    chatRows: [],
  }),
});

const pageScript = new URL('./meet.page.ts', import.meta.url);
const postName = 'rapporteurMeetPost';
const allLayers: MeetPageLayers = {
  collections: true,
  contributingSources: true,
  speechFrames: true,
  tiles: true,
  nativeAudio: true,
};

/** Google Meet in the browser. `layers` disables signal layers, to test the others. */
export function createMeetPlatform(
  layers: Partial<MeetPageLayers> = {},
  pack: PagePack = builtInPagePack('meet'),
): MeetingPlatform {
  const client = createMeetClient(pack);
  return {
    name: 'meet',
    preload: () => void loadPageScript(pageScript),
    prepare: async (page, ports, devices, videos) => {
      let session: WebSession<MeetPageSnapshot> | null = null;
      const options: MeetPageOptions = {
        selectors: pack.page as MeetPageSelectors,
        postName,
        layers: { ...allLayers, ...layers },
      };
      const platform: PlatformScript = {
        content: loadPageScript(pageScript, options),
        postName,
        receive: (frame, post) => {
          if (frame === page.mainFrame()) session?.receive(post);
        },
      };
      const prepared = await preparePage(page, ports, { devices, videos, hides: hidesVideos, platform });
      session = new WebSession(page, { ...ports, ...prepared }, client, (host) => new MeetSignals(host));
      return session;
    },
  };
}
