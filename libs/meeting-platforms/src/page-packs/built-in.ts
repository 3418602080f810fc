import type { MeetingPlatformName, PagePack } from '@rapporteur/contracts';
import meet from '../../packs/meet.json' with { type: 'json' };
import teams from '../../packs/teams.json' with { type: 'json' };
import zoom from '../../packs/zoom.json' with { type: 'json' };

// Tests read them with the schema; a run does not spend time on it.
const packs = { meet, teams, zoom } as unknown as Readonly<Record<MeetingPlatformName, PagePack>>;

/** What this build knows of the platform's page. */
export function builtInPagePack(platform: MeetingPlatformName): PagePack {
  return packs[platform];
}
