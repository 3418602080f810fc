import { TextMatcher } from '@rapporteur/meeting-platforms/page-packs';
import type { PagePack } from '@rapporteur/meeting-platforms/page-packs';
import { StoredPage, textOf } from './stored-page.ts';

export interface TriedElement {
  readonly element: string;
  /** Place of the first candidate that finds a visible element, from 0; null: none does. */
  readonly candidate: number | null;
  /** Number of candidates. */
  readonly of: number;
  readonly selector: string | null;
}

export interface TriedPack {
  readonly elements: readonly TriedElement[];
  /** Rules whose text a control or a notice of the page has. */
  readonly texts: readonly string[];
  /** Known dialogs that the page shows. */
  readonly dialogs: readonly string[];
  /** Selectors of the page script that locate something visible, by their names. */
  readonly regions: readonly string[];
}

/** What a pack finds in the page of an evidence bundle. */
export function tryPack(pack: PagePack, html: string): TriedPack {
  const page = new StoredPage(html);
  const elements = Object.entries(pack.elements).map(([element, candidates]): TriedElement => {
    const found = candidates.findIndex((selector) => page.shown(selector).length > 0);
    const candidate = found < 0 ? null : found;
    return { element, candidate, of: candidates.length, selector: candidates[found] ?? null };
  });
  const texts = page.texts();
  const dialogs = page.shown(regionOf(pack, 'dialogs')).map((dialog) => textOf(dialog));
  return {
    elements,
    texts: Object.entries(pack.texts).flatMap(([rule, patterns]) => (anyMatches(patterns, texts) ? [rule] : [])),
    dialogs: pack.dialogs.flatMap(({ what, text }) => (anyMatches(text, dialogs) ? [what] : [])),
    regions: Object.keys(pack.page).filter((name) => isRegion(name) && page.shown(regionOf(pack, name)).length > 0),
  };
}

function anyMatches(patterns: PagePack['texts'][string], texts: readonly string[]): boolean {
  const matcher = new TextMatcher(patterns);
  return texts.some((text) => matcher.test(text));
}

/** Names of attributes and classes are among the page's selectors. */
function isRegion(name: string): boolean {
  return !/(?:Id|Labels|Classes|Class|Icon)$/.test(name) && name !== 'participantsText';
}

function regionOf(pack: PagePack, name: string): string {
  const selector = pack.page[name] ?? [];
  return Array.isArray(selector) ? selector.join(',') : selector;
}
