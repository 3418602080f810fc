import type { PagePack } from '@rapporteur/contracts';
import type pack from '../../packs/teams.json';

/** The selectors for the page script; plain CSS, evaluated inside the page. */
export type TeamsPageSelectors = Readonly<(typeof pack)['page']>;

/** Reading a pack confirms that it has the same members as the built-in one. */
export function teamsPageSelectors({ page }: PagePack): TeamsPageSelectors {
  return page as TeamsPageSelectors;
}
