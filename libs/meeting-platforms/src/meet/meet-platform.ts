import { loadPageScript } from '@rapporteur/page-scripts';
import type { MeetingPlatform } from '../platform.ts';
import { hidesVideos, preparePage } from '../web-client/prepare-page.ts';
import { WebVisit } from '../web-client/web-visit.ts';
import { meetClient } from './meet-client.ts';
import type { MeetPageLayers, MeetPageOptions } from './meet.page.ts';
import { MeetSignals } from './meet-signals.ts';
import { meetPageSelectors } from './selectors.ts';

const pageScript = new URL('./meet.page.ts', import.meta.url);
const postName = 'rapporteurMeetPost';
const allLayers: MeetPageLayers = {
  collections: true,
  contributingSources: true,
  speechFrames: true,
  tiles: true,
  nativeSound: true,
};

/** Google Meet in the browser. `layers` takes layers of signals away, to see that the others carry on. */
export function createMeetPlatform(layers: Partial<MeetPageLayers> = {}): MeetingPlatform {
  return {
    name: 'meet',
    preload: () => void loadPageScript(pageScript),
    prepare: async (page, ports, devices, pictures) => {
      const prepared = await preparePage(page, ports, { devices, pictures, hides: hidesVideos });
      const visit = new WebVisit(page, { ...ports, ...prepared }, meetClient, (host) => new MeetSignals(host));
      const options: MeetPageOptions = { selectors: meetPageSelectors, postName, layers: { ...allLayers, ...layers } };
      await page.exposeBinding(postName, (source, post: unknown) => {
        if (source.frame === page.mainFrame()) visit.receive(post);
      });
      await page.addInitScript({ content: loadPageScript(pageScript, options) });
      return visit;
    },
  };
}
