import type { PagePack } from '@rapporteur/contracts';
import type pack from '../../packs/meet.json';

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export type MeetPageSelectors = Readonly<(typeof pack)['page']>;

/** Reading a pack confirms that it has the same members as the built-in one. */
export function meetPageSelectors({ page }: PagePack): MeetPageSelectors {
  return page as MeetPageSelectors;
}
