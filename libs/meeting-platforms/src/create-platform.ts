import type { MeetingPlatformName, PagePack } from '@rapporteur/contracts';
import { createMeetPlatform } from './meet/meet-platform.ts';
import { builtInPagePack } from './page-packs/index.ts';
import type { MeetingPlatform } from './platform.ts';
import { createTeamsPlatform } from './teams/teams-platform.ts';
import { createZoomPlatform } from './zoom/zoom-platform.ts';

const platforms: Readonly<Record<MeetingPlatformName, (pack: PagePack) => MeetingPlatform>> = {
  meet: (pack) => createMeetPlatform({}, pack),
  teams: (pack) => createTeamsPlatform({}, pack),
  zoom: (pack) => createZoomPlatform({ pack }),
};

/** The platform of that name with its page pack. */
export function createPlatform(name: MeetingPlatformName, pack: PagePack = builtInPagePack(name)): MeetingPlatform {
  return platforms[name](pack);
}
