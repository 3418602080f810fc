import type { MeetingPlatformName, PagePackOverlay } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import {
  builtInPagePack,
  pagePackVersion,
  readPagePackOverlay,
  rulesChangedBy,
} from '@rapporteur/meeting-platforms/page-packs';
import { PagePackRefusal } from './refusal.ts';

export interface PagePackReader {
  /** Throws PagePackRefusal with a sentence that names the field. */
  read(text: string): PagePackOverlay;
  /** The version that a runner reports with this overlay; null: of the built-in pack. */
  versionOf(platform: MeetingPlatformName, overlay: PagePackOverlay | null): string;
  /** The rules by which a page keeps a bot out, and that this overlay decides. */
  rulesChangedBy(overlay: PagePackOverlay): ReadonlySet<string>;
}

/** The page packs of this build. */
export const pagePackReader: PagePackReader = {
  read: (text) => {
    try {
      return readPagePackOverlay(text);
    } catch (error) {
      if (error instanceof Failure) throw new PagePackRefusal('invalid', error.message, error);
      throw error;
    }
  },
  versionOf: (platform, overlay) => pagePackVersion(builtInPagePack(platform), overlay),
  rulesChangedBy,
};

/** Names of the elements of the platform's page. */
export function pageElementsOf(platform: MeetingPlatformName): ReadonlySet<string> {
  return new Set(Object.keys(builtInPagePack(platform).elements));
}
