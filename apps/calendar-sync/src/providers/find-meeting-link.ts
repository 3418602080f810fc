import { parseMeetingLink } from '@rapporteur/meeting-links';

export interface FoundLink {
  readonly url: string;
  readonly platform: 'zoom' | 'meet' | 'teams';
}

const longestText = 200_000;
const mostLinks = 50;

/** The first link to a meeting in texts that participants and programs wrote, which may be HTML; null: there is none. */
export function findMeetingLink(
  candidates: readonly string[],
  simulatorLinkHosts: readonly string[],
): FoundLink | null {
  const options = simulatorLinkHosts.length === 0 ? {} : { simulator: { linkHosts: simulatorLinkHosts } };
  for (const text of candidates) {
    const links = text.slice(0, longestText).match(/https:\/\/[^\s"'<>\\^`{|}]+/gi) ?? [];
    for (const link of links.slice(0, mostLinks)) {
      const url = link.replaceAll(/&amp;/gi, '&').replace(/[).,;:!?\]]+$/, '');
      const read = parseMeetingLink(url, options);
      if (read.accepted) return { url, platform: read.link.platform };
    }
  }
  return null;
}
