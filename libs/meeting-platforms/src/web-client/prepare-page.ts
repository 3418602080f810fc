import type { Page } from 'playwright-core';
import type { OthersPictures, OutgoingDevices, VisitPorts } from '../platform.ts';
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
}

/** How pages that show tracks do it: what is hidden goes on as a track. */
export const hidesVideos = { wanted: 'video', unused: 'video' } as const;

export async function preparePage(page: Page, ports: VisitPorts, how: PagePreparation): Promise<PreparedPage> {
  const { devices, pictures = 'wanted', hides } = how;
  const outgoing = await prepareOutgoingMedia(page, ports, devices);
  const painting = await preparePainting(page, pictures === 'wanted' ? hides.wanted : hides.unused);
  const refusal = pictures === 'refused' ? await prepareRefusal(page, ports) : null;
  return { outgoing, painting, refusal };
}
