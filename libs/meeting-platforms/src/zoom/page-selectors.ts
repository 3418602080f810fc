import type { PagePack } from '@rapporteur/contracts';
import type pack from '../../packs/zoom.json';

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export type ZoomPageSelectors = Readonly<(typeof pack)['page']>;

/** Reading a pack confirms that it has the same members as the built-in one. */
export function zoomPageSelectors({ page }: PagePack): ZoomPageSelectors {
  return page as ZoomPageSelectors;
}
