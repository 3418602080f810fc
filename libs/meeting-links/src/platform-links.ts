import type { MeetingPlatformName } from '@rapporteur/contracts/platforms';
import { accept, refuse } from './meeting-link.ts';
import type { PlatformLinks, LinkResult } from './meeting-link.ts';
import { teamsLinks } from './teams.ts';
import { zoomLinks } from './zoom.ts';

const code = /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/;
const nickname = /^[a-z0-9][a-z0-9-]{3,38}[a-z0-9]$/;
/** Pages of the site without a meeting. */
const pages = new Set(['landing', 'about', 'calling', 'download', 'linkredirect', 'tel', 'whoops', 'unsupported']);
const otherHosts: ReadonlyMap<string, string> = new Map([
  [
    'stream.meet.google.com',
    'This is a Google Meet live stream, which only viewers open. Send the link of the meeting itself.',
  ],
  ['g.co', 'A shortened link of g.co hides the meeting code. Open it once and send the link with the code.'],
]);

function isMeetHost(hostname: string): boolean {
  return hostname === 'meet.google.com';
}

/** The reason for a link of Google Meet on another host, or null. */
function otherMeetHost(url: URL): string | null {
  if (url.hostname === 'g.co' && !url.pathname.startsWith('/meet/')) return null;
  return otherHosts.get(url.hostname) ?? null;
}

/** `https://meet.google.com/abc-defg-hij`, or a Workspace nickname in the code's place. Query and fragment are dropped. */
function readGoogleMeet(url: URL): LinkResult {
  const parts = url.pathname
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const [first] = parts;
  if (first === undefined) return refuse('This Google Meet link has no meeting code: it ends after meet.google.com.');
  if (first === 'lookup') {
    return refuse(
      'A Google Meet lookup link names no meeting. Open it once and send the link with the meeting code.',
      'meet',
    );
  }
  if (first === 'new')
    return refuse('This Google Meet link starts a new meeting. Send the link of the meeting itself.', 'meet');
  if (pages.has(first)) {
    return refuse('This page of Google Meet is no meeting. The link of a meeting ends in a code like abc-defg-hij.');
  }
  if (parts.length > 1)
    return refuse('A Google Meet link has nothing but the meeting code behind meet.google.com/.', 'meet');
  if (!(code.test(first) || nickname.test(first)))
    return refuse('The meeting code of a Google Meet link looks like abc-defg-hij.', 'meet');
  const canonicalUrl = `https://meet.google.com/${first}`;
  return accept({ platform: 'meet', meetingId: first, canonicalUrl, joinUrl: canonicalUrl });
}

const meetLinks: PlatformLinks = {
  isHost: isMeetHost,
  otherHost: otherMeetHost,
  read: readGoogleMeet,
  hosts: ['meet.google.com'],
  hints: ['meet.google', 'g.co/meet', 'stream.meet'],
};

/** The links of every platform. */
export const platformLinks: Readonly<Record<MeetingPlatformName, PlatformLinks>> = {
  zoom: zoomLinks,
  meet: meetLinks,
  teams: teamsLinks,
};
