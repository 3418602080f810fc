import { readGoogleMeet, readSimulatedCode } from './google-meet.ts';
import { refuse } from './meeting-link.ts';
import type { LinkAnswer } from './meeting-link.ts';
import { isTeamsHost, readTeams } from './teams.ts';
import { isZoomHost, readZoom } from './zoom.ts';

export interface ParseOptions {
  /** Given when this deployment has a simulator: hosts, with or without a port, whose links stand for Google Meet. */
  readonly simulator?: { readonly linkHosts: readonly string[] };
}

const longestLink = 4_096;
/** A wrapper inside a wrapper happens in forwarded mail; more is not a link a person copied. */
const mostWrappers = 3;

/**
 * Reads a meeting link: https only, on one of the three platforms or on a simulator of this deployment. A text that is
 * no such link is refused with a sentence that names what is wrong. Never throws.
 */
export function parseMeetingLink(text: string, options: ParseOptions = {}): LinkAnswer {
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

function readPlatform(url: URL, options: ParseOptions): LinkAnswer {
  const linkHosts = options.simulator?.linkHosts ?? [];
  if (linkHosts.includes(url.host) || linkHosts.includes(url.hostname)) return readSimulated(url);
  const known = url.hostname === 'meet.google.com' || isTeamsHost(url.hostname) || isZoomHost(url.hostname);
  if (!known) return refuse('The meeting link is not on Google Meet, Microsoft Teams or Zoom.');
  if (url.port !== '') return refuse('The meeting link names a port; links of this platform have none.');
  if (url.hostname === 'meet.google.com') return readGoogleMeet(url);
  return isTeamsHost(url.hostname) ? readTeams(url) : readZoom(url);
}

function readSimulated(url: URL): LinkAnswer {
  const code = readSimulatedCode(url);
  if (code === null)
    return refuse('A simulator link has nothing but a meeting code like abc-defg-hij behind its host.');
  return {
    accepted: true,
    link: {
      platform: 'meet',
      meetingId: code,
      canonicalUrl: `https://${url.host}/${code}`,
      joinUrl: `https://meet.google.com/${code}`,
      simulated: true,
    },
  };
}
