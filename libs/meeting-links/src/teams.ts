import { decodeBase64, decodePercent, queryValues } from './encoded-text.ts';
import { accept, refuse } from './meeting-link.ts';
import type { LinkResult, PlatformLinks } from './meeting-link.ts';

const hosts = new Set([
  'teams.microsoft.com',
  'teams.live.com',
  'teams.cloud.microsoft',
  'gov.teams.microsoft.us',
  'dod.teams.microsoft.us',
]);
const thread = /^19:[^/\s]{1,200}@thread\.(?:v2|tacv2|skype)$/;
const directoryId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const messageForm = /^\d{1,20}$/;
const passcodeForm = /^[\w.~-]{1,200}$/;
/** Safe links and launchers encode a link once more each. */
const mostDecodings = 4;
/** Pages of the site without a meeting. */
const pages = /^\/(?:l\/(?:chat|channel|team|entity|app|message|file|task)\/|meetingOptions|dialin|downloads?|$)/i;

/** The same cloud as another host: a meeting there has one canonical link. */
const cloudHosts: Readonly<Record<string, string>> = { 'teams.cloud.microsoft': 'teams.microsoft.com' };

function isTeamsHost(hostname: string): boolean {
  return hosts.has(hostname);
}

/** The reason for a link of Teams on a host that has no meetings which bots can enter, or null. */
function otherTeamsHost({ hostname, pathname }: URL): string | null {
  if (hostname === 'events.teams.microsoft.com') {
    return 'This Teams link leads to the registration page of a webinar. Register the bot and send the personal join link.';
  }
  if (hostname === 'teams.microsoftonline.cn' || hostname.endsWith('.partner.microsoftonline.cn'))
    return 'Meetings of Teams operated by 21Vianet are not supported.';
  if (/^(www\.)?microsoft\.com$/.test(hostname) && /\/microsoft-teams\/join-a-meeting\/?$/.test(pathname))
    return 'This page asks for a meeting ID and a passcode. Send the join link of the Teams invitation.';
  return null;
}

/** Every form of invitation, launcher and light-meeting link; all forms of one meeting give the same canonical URL. */
function readTeams(url: URL): LinkResult {
  const inner = innerLink(url);
  if (inner.pathname.startsWith('/l/meetup-join/')) return readMeetupJoin(inner);
  if (inner.pathname.startsWith('/meet/')) return readMeet(inner);
  if (inner.pathname.startsWith('/light-meetings/launch')) return readLightMeeting(inner);
  return refuse(
    'This Teams link leads to no meeting. Send the join link of the invitation.',
    pages.test(inner.pathname) ? null : 'teams',
  );
}

/** Launcher and web-app links carry the real link behind `#`, or in `url`, percent-encoded or not. */
function innerLink(url: URL): URL {
  const launcher = url.pathname.startsWith('/dl/launcher/');
  const webApp = /^\/(v2|_)?\/?$/.test(url.pathname);
  if (!launcher && !webApp) return url;
  const carried = url.hash === '' ? (url.searchParams.get('url') ?? '') : url.hash;
  const path = (/^https%3a/i.test(carried) ? (decodePercent(carried) ?? '') : carried).replace(/^\/?_?#?/, '');
  if (!URL.canParse(path, url.origin)) return url;
  const inner = new URL(path, url.origin);
  return inner.protocol === 'https:' && inner.port === '' && isTeamsHost(inner.hostname) ? inner : url;
}

function readMeetupJoin(url: URL): LinkResult {
  const [threadPart = '', messagePart = '0', ...rest] = url.pathname
    .slice('/l/meetup-join/'.length)
    .replace(/\/$/, '')
    .split('/');
  const threadId = decodeFully(threadPart);
  if (!thread.test(threadId))
    return refuse('The Teams link names no meeting thread (19:...@thread.v2). It may be cut off.', 'teams');
  if (!messageForm.test(messagePart) || rest.length > 0)
    return refuse('The Teams link is damaged behind its meeting thread.', 'teams');
  const contexts = queryValues(url, 'context');
  if (contexts.length > 1) return refuse('The Teams link has its context more than once.', 'teams');
  const context = readJson(decodeFully(contexts[0] ?? ''));
  return meetupJoin(url.host, { threadId, messageId: messagePart, context });
}

interface Coordinates {
  readonly threadId: string;
  readonly messageId: string;
  /** `Tid` and `Oid` name the meeting; the rest is opaque and kept for joining. */
  readonly context: Readonly<Record<string, unknown>>;
}

function meetupJoin(host: string, { threadId, messageId, context }: Coordinates): LinkResult {
  const { Tid: tenantId, Oid: organizerId } = context;
  const whole = JSON.stringify(context);
  if (!isDirectoryId(tenantId) || !isDirectoryId(organizerId)) {
    return refuse(
      'The Teams link lacks its context (tenant and organizer), or the context is damaged. Copy the whole link.',
      'teams',
    );
  }
  if (context['IsBroadcastMeeting'] === true)
    return refuse(
      'This Teams link leads to a live event, which only viewers open. Send the link of a meeting.',
      'teams',
    );
  const identity = JSON.stringify({ Tid: tenantId.toLowerCase(), Oid: organizerId.toLowerCase() });
  const meeting = `/l/meetup-join/${encodeURIComponent(threadId)}/${messageId}?context=`;
  return accept({
    platform: 'teams',
    meetingId: threadId,
    canonicalUrl: `https://${cloudHosts[host] ?? host}${meeting}${encodeURIComponent(identity)}`,
    joinUrl: `https://${host}${meeting}${encodeURIComponent(whole)}`,
  });
}

/** `p` is opaque: kept unchanged, and exactly one is required. */
function readMeet(url: URL): LinkResult {
  const [meetingId = '', ...rest] = url.pathname.slice('/meet/'.length).replace(/\/$/, '').split('/');
  const passcodes = queryValues(url, 'p');
  const [passcode] = passcodes;
  if (rest.length > 0) return refuse('The meeting number of the Teams link is damaged.', 'teams');
  if (passcodes.length > 1) return refuse('The Teams link has its passcode (p=) more than once.', 'teams');
  return meetingNumber(url.host, meetingId, passcode);
}

/** @param passcode undefined: the link has none; null: it is damaged */
function meetingNumber(host: string, meetingId: string, passcode: string | null | undefined): LinkResult {
  const personal = host === 'teams.live.com';
  const wellFormed = personal ? /^[a-z0-9_-]{5,64}$/i : /^\d{5,20}$/;
  if (!wellFormed.test(meetingId)) return refuse('The meeting number of the Teams link is damaged.', 'teams');
  if (passcode === undefined && !personal)
    return refuse('The Teams link lacks its passcode (p=). Copy the whole link.', 'teams');
  if (passcode === null || (passcode !== undefined && !passcodeForm.test(passcode)))
    return refuse('The passcode (p=) of the Teams link is damaged.', 'teams');
  const path = `/meet/${meetingId}`;
  return accept({
    platform: 'teams',
    meetingId,
    canonicalUrl: `https://${cloudHosts[host] ?? host}${path}`,
    joinUrl: `https://${host}${path}${passcode === undefined ? '' : `?p=${passcode}`}`,
  });
}

function readLightMeeting(url: URL): LinkResult {
  const [coords] = queryValues(url, 'coords');
  const coordinates = readJson(decodeBase64((coords ?? '').replaceAll(' ', '+')));
  const { meetingCode, passcode, conversationId, messageId, tenantId, organizerId } = coordinates;
  if (typeof meetingCode === 'string')
    return meetingNumber(
      url.host,
      meetingCode,
      typeof passcode === 'string' || passcode === undefined ? passcode : null,
    );
  if (typeof conversationId !== 'string' || !thread.test(conversationId)) {
    return refuse(
      'The Teams link carries no readable meeting coordinates. Send the join link of the invitation.',
      'teams',
    );
  }
  const message = typeof messageId === 'number' ? String(messageId) : (messageId ?? '0');
  if (typeof message !== 'string' || !messageForm.test(message))
    return refuse('The Teams link is damaged behind its meeting thread.', 'teams');
  return meetupJoin(url.host, {
    threadId: conversationId,
    messageId: message,
    context: { Tid: tenantId, Oid: organizerId },
  });
}

function isDirectoryId(value: unknown): value is string {
  return typeof value === 'string' && directoryId.test(value);
}

/** Neither a thread nor a context contains a percent sign. */
function decodeFully(text: string): string {
  let decoded = text;
  for (let count = 0; count < mostDecodings && decoded.includes('%'); count += 1)
    decoded = decodePercent(decoded) ?? '';
  return decoded;
}

function readJson(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

export const teamsLinks: PlatformLinks = {
  isHost: isTeamsHost,
  otherHost: otherTeamsHost,
  read: readTeams,
  hosts: ['teams.microsoft.com', 'teams.live.com'],
  hints: ['teams.', 'microsoft-teams'],
};
