import type { MeetingPlatformName } from '@rapporteur/contracts';
import { createMeetPlatform } from './meet/meet-platform.ts';
import type { MeetingPlatform } from './platform.ts';
import { createTeamsPlatform } from './teams/teams-platform.ts';
import { createZoomPlatform } from './zoom/zoom-platform.ts';

const platforms: Readonly<Partial<Record<MeetingPlatformName, () => MeetingPlatform>>> = {
  meet: createMeetPlatform,
  teams: createTeamsPlatform,
  zoom: createZoomPlatform,
};

/** The platform of that name, or null where this build can't attend it. */
export function createPlatform(name: MeetingPlatformName): MeetingPlatform | null {
  return platforms[name]?.() ?? null;
}
