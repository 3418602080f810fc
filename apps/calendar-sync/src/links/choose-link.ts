import type { MeetingPlatform } from '@rapporteur/meeting-links';
import type { FoundLink } from './find-meeting-links.ts';

export interface ChosenLink {
  readonly meeting_url: string | null;
  readonly meeting_platform: MeetingPlatform | null;
}

/** The first link on the preferred platform, else the first of all. */
export function chooseLink(links: readonly FoundLink[], preferred: MeetingPlatform | null): ChosenLink {
  const chosen = links.find(({ platform }) => platform === preferred) ?? links[0];
  return { meeting_url: chosen?.url ?? null, meeting_platform: chosen?.platform ?? null };
}
