import { platformNames, platforms } from '@rapporteur/contracts/platforms';
import { refuse } from './meeting-link.ts';
import type { LinkResult, MeetingPlatform } from './meeting-link.ts';
import { platformLinks } from './platform-links.ts';
import { isEncodedByProofpoint, linksInside } from './wrapped-links.ts';

export interface ParseOptions {
  /**
   * Set when this deployment has a simulator: hosts, with or without a port, whose links are meetings on the platform
   * that their name begins with.
   */
  readonly simulator?: { readonly linkHosts: readonly string[] };
}

/** In characters. Safe links of a Teams invitation have about 1,500. */
export const longestLink = 4_096;
/** Each mail protection wraps forwarded mail again; a deeper nesting is no copied link. */
const mostWrappers = 4;

/**
 * Parses a meeting link: https only, on one of the platforms or on a simulator of this deployment, plain or in
 * the wrapper of a mail protection. Another text is refused with a sentence that states the problem. Never throws;
 * takes time linear in the text.
 */
export function parseMeetingLink(text: string, options: ParseOptions = {}): LinkResult {
  if (text.length > longestLink) return refuse(`The meeting link is longer than ${longestLink} characters.`);
  const trimmed = text.trim();
  const isBracketed = trimmed.startsWith('<') && trimmed.endsWith('>');
  return readLink(isBracketed ? trimmed.slice(1, -1) : trimmed, { options, depth: 0 });
}

interface Reading {
  readonly options: ParseOptions;
  /** Wrappers around the text. */
  readonly depth: number;
}

function readLink(text: string, { options, depth }: Reading): LinkResult {
  const problem = textProblem(text);
  if (problem !== null) return refuse(problem);
  const url = new URL(text);
  const linkHosts = options.simulator?.linkHosts ?? [];
  if (linkHosts.includes(url.host) || linkHosts.includes(url.hostname)) return readSimulated(url);
  const isRedirect = platformLinks.meet.isHost(url.hostname) && url.pathname === '/linkredirect';
  if (platformOfHost(url.hostname) !== null && !isRedirect) return readPlatform(url);
  const other = otherHost(url);
  return other ?? readWrapped(url, { options, depth });
}

function readWrapped(url: URL, { options, depth }: Reading): LinkResult {
  const inside = linksInside(url);
  if (inside.length > 0 && depth === mostWrappers)
    return refuse('The link is wrapped in too many others. Send the meeting link itself.');
  let refusal: LinkResult | null = null;
  for (const link of inside) {
    const result = readLink(link, { options, depth: depth + 1 });
    if (result.accepted) return result;
    if (refusal === null || (!refusal.accepted && refusal.platform === null)) refusal = result;
  }
  return refusal ?? refuseUnknown(url);
}

/** Some mail protections keep the link on their server and show at most its host. */
function refuseUnknown(url: URL): LinkResult {
  if (isEncodedByProofpoint(url)) {
    const lowered = url.href.toLowerCase();
    const platform = platformNames.find((name) => showsHost(lowered, name)) ?? null;
    return refuse(
      'The link is wrapped by Proofpoint, and a part of it is missing. Send the meeting link itself.',
      platform,
    );
  }
  const shown = url.searchParams.get('domain') ?? url.searchParams.get('d') ?? '';
  const platform = platformOfHost(shown.toLowerCase());
  if (platform !== null) {
    return refuse('A mail protection hides the meeting link in this one. Send the meeting link itself.', platform);
  }
  return refuse(`The meeting link is not on ${anyOf(platformNames.map((name) => platforms[name].title))}.`);
}

const anyOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

/** True for a link that shows a host of the platform; its last label may be encoded. @param lowered the link in lower case */
function showsHost(lowered: string, platform: MeetingPlatform): boolean {
  return platformLinks[platform].hosts.some((host) => {
    const shown = host.slice(0, host.lastIndexOf('.') + 1);
    for (let at = lowered.indexOf(shown); at !== -1; at = lowered.indexOf(shown, at + 1))
      if (!/[\w-]/.test(lowered.charAt(at - 1))) return true;
    return false;
  });
}

function textProblem(text: string): string | null {
  if (text === '') return 'The meeting link is empty.';
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) {
    return 'The meeting link holds a space, a backslash or an invisible character. Send one link and nothing else.';
  }
  if (!/^https:\/\//i.test(text)) return 'The meeting link must start with https://.';
  if (!URL.canParse(text)) return 'The meeting link is not a valid address.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'The meeting link must not hold a user name or password.';
  return null;
}

function platformOfHost(hostname: string): MeetingPlatform | null {
  return platformNames.find((name) => platformLinks[name].isHost(hostname)) ?? null;
}

/** A host of one of the platforms that has no meetings which bots can enter. */
function otherHost(url: URL): LinkResult | null {
  for (const name of platformNames) {
    const reason = platformLinks[name].otherHost(url);
    if (reason !== null) return refuse(reason, name);
  }
  return null;
}

function readPlatform(url: URL): LinkResult {
  const platform = platformOfHost(url.hostname);
  if (platform === null) return refuseUnknown(url);
  if (url.port !== '') return refuse('The meeting link names a port; links of this platform have none.', platform);
  return platformLinks[platform].read(url);
}

/** A simulator's host begins with its platform's name; the part after it equals the part after the real host. */
function readSimulated(url: URL): LinkResult {
  const platform = platformNames.find((name) => name === url.hostname.split('.', 1)[0]);
  if (platform === undefined) return refuse(`A simulator link's host begins with ${anyOf(platformNames)}.`);
  const [home] = platformLinks[platform].hosts;
  const response = readPlatform(new URL(`https://${home}${url.pathname}${url.search}${url.hash}`));
  if (!response.accepted) return response;
  const canonicalUrl = response.link.canonicalUrl.replace(/^https:\/\/[^/]+/, `https://${url.host}`);
  return { accepted: true, link: { ...response.link, canonicalUrl, simulated: true } };
}
