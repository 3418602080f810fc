import type { MeetingPlatformName, PagePack } from '@rapporteur/contracts';
import meet from '../../packs/meet.json' with { type: 'json' };
import teams from '../../packs/teams.json' with { type: 'json' };
import zoom from '../../packs/zoom.json' with { type: 'json' };

interface BuiltIn {
  readonly pack: unknown;
  /** Parts of its `page` that are no selectors: names of attributes, classes and icons, and labels. */
  readonly names: readonly string[];
}

const builtIn: Readonly<Record<MeetingPlatformName, BuiltIn>> = {
  meet: {
    pack: meet,
    names: ['tileId', 'chatRowId', 'screenLabels', 'effectsIcon', 'leaveIcon', 'speakingClasses', 'quietClasses'],
  },
  teams: { pack: teams, names: ['chatRowId', 'speakingClass'] },
  zoom: { pack: zoom, names: [] },
};

/** This build's description of the platform's page. */
export function builtInPagePack(platform: MeetingPlatformName): PagePack {
  // Tests read it with the schema; a run does not spend time on that.
  return builtIn[platform].pack as PagePack;
}

/** True for a part of the pack's `page` that is no selector. */
export function isNameInPage(platform: MeetingPlatformName, part: string): boolean {
  return builtIn[platform].names.includes(part);
}
