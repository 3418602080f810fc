import { readGoogleMeet } from './google-meet.ts';
import { refuse } from './meeting-link.ts';
import type { LinkResult } from './meeting-link.ts';
import { isTeamsHost, readTeams } from './teams.ts';
import { isZoomHost, readZoom } from './zoom.ts';

export interface ParseOptions {
  /** Given when this deployment has a simulator: hosts, with or without a port, whose links stand for meetings on the platform it begins with. */
  readonly simulator?: { readonly linkHosts: readonly string[] };
}

const longestLink = 4_096;
/** A wrapper inside a wrapper happens in forwarded mail; more is not a link that somebody copied. */
const mostWrappers = 3;

/**
 * Reads a meeting link: https only, on one of the three platforms or on a simulator of this deployment. A text that is
 * no such link is refused with a sentence that names what is wrong. Never throws.
 */
export function parseMeetingLink(text: string, options: ParseOptions = {}): LinkResult {
  const trimmed = text.trim().replace(/^<(.*)>$/, '$1');
  const problem = textProblem(trimmed);
  if (problem !== null) return refuse(problem);
  let url = new URL(trimmed);
  for (let wrappers = 0; ; wrappers += 1) {
    const wrapped = wrappedLink(url);
    if (wrapped === null) break;
    if (wrappers === mostWrappers)
      return refuse('The link is wrapped in too many others. Send the meeting link itself.');
    const inside = textProblem(wrapped);
    if (inside !== null) return refuse(inside);
    url = new URL(wrapped);
  }
  return readPlatform(url, options);
}

function textProblem(text: string): string | null {
  if (text === '') return 'The meeting link is empty.';
  if (text.length > longestLink) return `The meeting link is longer than ${longestLink} characters.`;
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) {
    return 'The meeting link holds a space, a backslash or an invisible character. Send one link and nothing else.';
  }
  if (!/^https:\/\//i.test(text)) return 'The meeting link must start with https://.';
  if (!URL.canParse(text)) return 'The meeting link is not a valid address.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'The meeting link must not hold a user name or password.';
  return null;
}

/** The link inside a mail protection or search engine wrapper, or null. */
function wrappedLink(url: URL): string | null {
  if (/^(www\.)?google\.com$/.test(url.hostname) && url.pathname === '/url') {
    return url.searchParams.get('q') ?? url.searchParams.get('url');
  }
  if (url.hostname.endsWith('.safelinks.protection.outlook.com')) return url.searchParams.get('url');
  return null;
}

function readPlatform(url: URL, options: ParseOptions): LinkResult {
  const linkHosts = options.simulator?.linkHosts ?? [];
  if (linkHosts.includes(url.host) || linkHosts.includes(url.hostname)) return readSimulated(url);
  const known = url.hostname === 'meet.google.com' || isTeamsHost(url.hostname) || isZoomHost(url.hostname);
  if (!known) return refuse('The meeting link is not on Google Meet, Microsoft Teams or Zoom.');
  if (url.port !== '') return refuse('The meeting link names a port; links of this platform have none.');
  if (url.hostname === 'meet.google.com') return readGoogleMeet(url);
  return isTeamsHost(url.hostname) ? readTeams(url) : readZoom(url);
}

/** Where links to a simulated platform would lead in the real world. */
const realHomes = { meet: 'meet.google.com', teams: 'teams.microsoft.com', zoom: 'zoom.us' } as const;

/** A simulator's host begins with its platform's name; behind it stands what stands behind the real host. */
function readSimulated(url: URL): LinkResult {
  const platform = url.hostname.split('.', 1)[0] ?? '';
  const home = realHomes[platform as keyof typeof realHomes] as string | undefined;
  if (home === undefined) return refuse("A simulator link's host begins with meet, teams or zoom.");
  const response = readPlatform(new URL(`https://${home}${url.pathname}${url.search}${url.hash}`), {});
  if (!response.accepted) return response;
  const canonicalUrl = response.link.canonicalUrl.replace(/^https:\/\/[^/]+/, `https://${url.host}`);
  return { accepted: true, link: { ...response.link, canonicalUrl, simulated: true } };
}
