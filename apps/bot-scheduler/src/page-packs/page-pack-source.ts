import type { Fetch } from './read-address.ts';
import { readPublicKeys, readSignedPagePacks } from './read-address.ts';
import { readPagePackFiles } from './read-files.ts';
import { PagePackRefusal } from './refusal.ts';

/** The operator's overlays, one JSON text each. Throws PagePackRefusal. */
export type ReadPagePackSource = () => Promise<string[]>;

export interface SourceSettings {
  readonly pagePacks?: string | undefined;
  readonly pagePackKeys: readonly string[];
}

const isAddress = (place: string): boolean => /^https?:\/\//i.test(place);

/** The source of the configuration, or null. Throws a sentence for one that can't be used. */
export function pagePackSourceOf(
  { pagePacks: place, pagePackKeys }: SourceSettings,
  http: Fetch,
): ReadPagePackSource | null {
  const keys = readPublicKeys(pagePackKeys);
  if (place === undefined) return null;
  if (!isAddress(place)) return async () => (await readPagePackFiles(place)).flatMap(overlaysIn);
  if (!URL.canParse(place)) throw new Error('RAPPORTEUR_PAGE_PACKS is neither an address nor a path.');
  if (keys.length === 0)
    throw new Error(
      'RAPPORTEUR_PAGE_PACKS is an address: set RAPPORTEUR_PAGE_PACK_KEYS to the public keys that sign its page packs.',
    );
  return async () => overlaysIn(await readSignedPagePacks(http, place, keys));
}

/** A document is one overlay, or a list of them. An unreadable text is returned as it is: its reader refuses it. */
function overlaysIn(text: string): string[] {
  if (!text.trimStart().startsWith('[')) return [text];
  try {
    const documents: unknown = JSON.parse(text);
    if (Array.isArray(documents)) return documents.map((document) => JSON.stringify(document));
  } catch (error) {
    throw new PagePackRefusal('invalid', 'A list of page packs is not valid JSON, or is nested too deeply.', error);
  }
  return [text];
}
