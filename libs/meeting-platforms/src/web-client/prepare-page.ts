import type { Frame, Page } from 'playwright-core';
import type { OthersPictures, OutgoingDevices, VisitPorts } from '../platform.ts';
import { prepareEyes } from './page-eyes.ts';
import { prepareOutgoingMedia } from './outgoing-media.ts';
import type { OutgoingMedia } from './outgoing-media.ts';
import { preparePainting } from './page-painting.ts';
import type { PagePainting } from './page-painting.ts';
import { prepareRefusal } from './refused-pictures.ts';
import type { RefusedPictures } from './refused-pictures.ts';

/** What is put into every platform's page before it is opened. */
export interface PreparedPage {
  /** What the bot shows and says. */
  readonly outgoing: OutgoingMedia;
  readonly painting: PagePainting;
  /** Null: pictures are received as the page likes. */
  readonly refusal: RefusedPictures | null;
}

export interface PagePreparation {
  readonly devices: OutgoingDevices | undefined;
  readonly pictures: OthersPictures | undefined;
  /** Selector of what need not be painted: while pictures are wanted, and while they are not. */
  readonly hides: { readonly wanted: string; readonly unused: string };
  readonly platform: PlatformScript;
}

/** What a platform puts into the page beside what all have. */
export interface PlatformScript {
  readonly content: string;
  /** Name of the binding that carries the script's posts out of the page. */
  readonly postName: string;
  receive(frame: Frame, post: unknown): void;
}

/** How pages that show tracks do it: what is hidden goes on as a track. */
export const hidesVideos = { wanted: 'video', unused: 'video' } as const;

/** All at once: each answer of the browser takes its time, and none depends on another. */
export async function preparePage(page: Page, ports: VisitPorts, how: PagePreparation): Promise<PreparedPage> {
  const { devices, pictures = 'wanted', hides, platform } = how;
  const [outgoing, painting, refusal] = await Promise.all([
    prepareOutgoingMedia(page, ports, devices),
    preparePainting(page, pictures === 'wanted' ? hides.wanted : hides.unused),
    pictures === 'refused' ? prepareRefusal(page, ports) : null,
    prepareEyes(page),
    page.exposeBinding(platform.postName, ({ frame }, post: unknown) => platform.receive(frame, post)),
    page.addInitScript({ content: platform.content }),
  ]);
  return { outgoing, painting, refusal };
}
