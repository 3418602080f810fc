import type { MeetingPlatformName } from '@rapporteur/contracts/platforms';
import { meetLinks } from './google-meet.ts';
import type { PlatformLinks } from './meeting-link.ts';
import { teamsLinks } from './teams.ts';
import { zoomLinks } from './zoom.ts';

/** The links of every platform. */
export const platformLinks: Readonly<Record<MeetingPlatformName, PlatformLinks>> = {
  zoom: zoomLinks,
  meet: meetLinks,
  teams: teamsLinks,
};
