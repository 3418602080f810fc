import type { MeetingPlatformName } from '@rapporteur/contracts';
import { createMeetPlatform } from './meet/meet-platform.ts';
import type { MeetingPlatform } from './platform.ts';

const platforms: Readonly<Partial<Record<MeetingPlatformName, () => MeetingPlatform>>> = {
  meet: createMeetPlatform,
};

/** The platform of that name, or null where this build can't attend it. */
export function createPlatform(name: MeetingPlatformName): MeetingPlatform | null {
  return platforms[name]?.() ?? null;
}
