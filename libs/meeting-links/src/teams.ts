import { accept, refuse } from './meeting-link.ts';
import type { LinkResult } from './meeting-link.ts';

const hosts = new Set([
  'teams.microsoft.com',
  'teams.live.com',
  'teams.cloud.microsoft',
  'gov.teams.microsoft.us',
  'dod.teams.microsoft.us',
]);
const thread = /^19:[^/\s]+@thread\.(?:v2|tacv2)$/;
const directoryId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isTeamsHost(hostname: string): boolean {
  return hosts.has(hostname);
}

/** Every form of invitation, launcher and light-meeting link; all forms of one meeting give the same canonical URL. */
export function readTeams(url: URL): LinkResult {
  const inner = innerLink(url);
  if (inner.pathname.startsWith('/l/meetup-join/')) return readMeetupJoin(inner);
  if (inner.pathname.startsWith('/meet/')) return readMeet(inner);
  if (inner.pathname.startsWith('/light-meetings/launch')) return readLightMeeting(inner);
  return refuse('This Teams link leads to no meeting. Send the join link of the invitation.');
}

/** Launcher and web-app links carry the real link behind `#`, or in `url`, percent-encoded or not. */
function innerLink(url: URL): URL {
  const launcher = url.pathname.startsWith('/dl/launcher/');
  const webApp = /^\/(v2|_)?\/?$/.test(url.pathname);
  if (!launcher && !webApp) return url;
  const carried = url.hash === '' ? (url.searchParams.get('url') ?? '') : url.hash;
  const path = carried.replace(/^\/?_?#?/, '');
  return path.startsWith('/') && URL.canParse(path, url.origin) ? new URL(path, url.origin) : url;
}

function readMeetupJoin(url: URL): LinkResult {
  const [threadPart, messagePart = '0'] = url.pathname.slice('/l/meetup-join/'.length).split('/');
  const threadId = decodeQuietly(threadPart ?? '');
  if (!thread.test(threadId))
    return refuse('The Teams link names no meeting thread (19:...@thread.v2). It may be cut off.');
  if (!/^\d{1,20}$/.test(messagePart)) return refuse('The Teams link is damaged behind its meeting thread.');
  const context = readJson(url.searchParams.get('context'));
  return meetupJoin(url.host, {
    threadId,
    messageId: messagePart,
    tenantId: context['Tid'],
    organizerId: context['Oid'],
  });
}

interface Coordinates {
  readonly threadId: string;
  readonly messageId: string;
  readonly tenantId: unknown;
  readonly organizerId: unknown;
}

function meetupJoin(host: string, { threadId, messageId, tenantId, organizerId }: Coordinates): LinkResult {
  if (!isDirectoryId(tenantId) || !isDirectoryId(organizerId)) {
    return refuse('The Teams link lacks its context (tenant and organizer). It may be cut off: copy the whole link.');
  }
  const context = JSON.stringify({ Tid: tenantId.toLowerCase(), Oid: organizerId.toLowerCase() });
  const canonicalUrl = `https://${host}/l/meetup-join/${encodeURIComponent(threadId)}/${messageId}?context=${encodeURIComponent(context)}`;
  return accept({ platform: 'teams', meetingId: threadId, canonicalUrl, joinUrl: canonicalUrl });
}

/** `p` is opaque: kept as it is, and there is exactly one. */
function readMeet(url: URL): LinkResult {
  const [meetingId = '', ...rest] = url.pathname.slice('/meet/'.length).replace(/\/$/, '').split('/');
  const personal = url.hostname === 'teams.live.com';
  const wellFormed = personal ? /^[a-z0-9_-]{5,64}$/i : /^\d{5,20}$/;
  if (rest.length > 0 || !wellFormed.test(meetingId)) return refuse('The meeting number of the Teams link is damaged.');
  const passcodes = url.searchParams.getAll('p');
  const [passcode] = passcodes;
  if (passcodes.length > 1) return refuse('The Teams link has its passcode (p=) more than once.');
  if (passcode === undefined && !personal)
    return refuse('The Teams link lacks its passcode (p=). Copy the whole link.');
  if (passcode !== undefined && !/^[\w.~-]{1,200}$/.test(passcode))
    return refuse('The passcode (p=) of the Teams link is damaged.');
  const canonicalUrl = `https://${url.host}/meet/${meetingId.toLowerCase()}`;
  return accept({
    platform: 'teams',
    meetingId: meetingId.toLowerCase(),
    canonicalUrl,
    joinUrl: `${canonicalUrl}${passcode === undefined ? '' : `?p=${passcode}`}`,
  });
}

function readLightMeeting(url: URL): LinkResult {
  const coordinates = readJson(decodeBase64(url.searchParams.get('coords') ?? ''));
  const { meetingCode, passcode, conversationId, messageId, tenantId, organizerId } = coordinates;
  if (typeof meetingCode === 'string' && /^[\w-]+$/.test(meetingCode)) {
    const query = typeof passcode === 'string' && /^[\w.~-]+$/.test(passcode) ? `?p=${passcode}` : '';
    return readMeet(new URL(`https://${url.host}/meet/${meetingCode}${query}`));
  }
  if (typeof conversationId === 'string' && thread.test(conversationId)) {
    const message = typeof messageId === 'string' && /^\d{1,20}$/.test(messageId) ? messageId : '0';
    return meetupJoin(url.host, { threadId: conversationId, messageId: message, tenantId, organizerId });
  }
  return refuse('The Teams link carries no readable meeting coordinates. Send the join link of the invitation.');
}

function isDirectoryId(value: unknown): value is string {
  return typeof value === 'string' && directoryId.test(value);
}

function decodeQuietly(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function decodeBase64(text: string): string {
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(text.replaceAll(' ', '+')), (character) => character.charCodeAt(0)),
    );
  } catch {
    return '';
  }
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
