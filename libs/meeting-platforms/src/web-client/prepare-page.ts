import type { Frame, Page } from 'playwright-core';
import { loadPageScript } from '@rapporteur/page-scripts';
import type { ParticipantVideo, OutgoingDevices, SessionPorts, SessionClock } from '../platform.ts';
import { prepareLocators } from './page-locators.ts';
import { prepareOutgoingMedia } from './outgoing-media.ts';
import type { OutgoingMedia } from './outgoing-media.ts';
import { preparePainting } from './page-painting.ts';
import type { PagePainting } from './page-painting.ts';
import type { QuietPageOptions } from './quiet-page.page.ts';
import { prepareRefusal } from './refused-video.ts';
import type { RefusedVideo } from './refused-video.ts';
import type { PageClockOptions } from './page-clock.page.ts';

/** The scripts and listeners in every platform's page before it is opened. */
export interface PreparedPage {
  /** The bot's image and audio. */
  readonly outgoing: OutgoingMedia;
  readonly painting: PagePainting;
  /** The use of others' videos. */
  readonly videos: ParticipantVideo;
  /** Null: videos are received as the page requests. */
  readonly refusal: RefusedVideo | null;
}

export interface PagePreparation {
  readonly devices: OutgoingDevices | undefined;
  readonly videos: ParticipantVideo | undefined;
  /** Content that is not painted. */
  readonly hides: QuietPageOptions;
  readonly platform: PlatformScript;
}

/** A platform's own part of the preparation. */
export interface PlatformScript {
  readonly content: string;
  /** Name of the binding that carries the script's posts out of the page. */
  readonly postName: string;
  receive(frame: Frame, post: unknown): void;
}

/** For pages that show tracks: a hidden video continues as a track. */
export const hidesVideos: QuietPageOptions = { hides: 'video', by: 'visibility' };

/** Concurrently: each response of the browser takes time, and none depends on another. */
export async function preparePage(page: Page, ports: SessionPorts, how: PagePreparation): Promise<PreparedPage> {
  const { devices, videos = 'wanted', hides, platform } = how;
  const [outgoing, painting, refusal] = await Promise.all([
    prepareOutgoingMedia(page, ports, devices),
    preparePainting(page, hides),
    videos === 'refused' ? prepareRefusal(page, ports) : null,
    prepareLocators(page),
    preparePageClock(page, ports.clock),
    page.exposeBinding(platform.postName, ({ frame }, post: unknown) => platform.receive(frame, post)),
    page.addInitScript({ content: platform.content }),
  ]);
  return { outgoing, painting, videos, refusal };
}

const pageScript = new URL('./page-clock.page.ts', import.meta.url);
const bindingName = 'rapporteurClock';

/** Before the page is opened: its scripts, and the recorder in it, take their times from the session's clock. */
export async function preparePageClock(page: Page, clock: SessionClock): Promise<void> {
  // The script calls the binding at once: one after the other.
  await page.exposeBinding(bindingName, () => clock.now());
  await page.addInitScript({ content: loadPageScript(pageScript, { bindingName } satisfies PageClockOptions) });
}
