import { accept, refuse } from './meeting-link.ts';
import type { LinkResult } from './meeting-link.ts';

const code = /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/;
const nickname = /^[a-z0-9][a-z0-9-]{3,38}[a-z0-9]$/;
const pages = new Set(['landing', 'lookup', 'about', 'calling', 'download', 'linkredirect']);

/** `https://meet.google.com/abc-defg-hij`, or a Workspace nickname in the code's place. Query and fragment are dropped. */
export function readGoogleMeet(url: URL): LinkResult {
  const parts = url.pathname
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const [first] = parts;
  if (first === undefined) return refuse('This Google Meet link has no meeting code: it ends after meet.google.com.');
  if (first === 'lookup') {
    return refuse('A Google Meet lookup link names no meeting. Open it once and send the link with the meeting code.');
  }
  if (first === 'new')
    return refuse('This Google Meet link starts a new meeting. Send the link of the meeting itself.');
  if (parts.length > 1) return refuse('A Google Meet link has nothing but the meeting code behind meet.google.com/.');
  if (pages.has(first) || !(code.test(first) || nickname.test(first))) {
    return refuse('The meeting code of a Google Meet link looks like abc-defg-hij.');
  }
  const canonicalUrl = `https://meet.google.com/${first}`;
  return accept({ platform: 'meet', meetingId: first, canonicalUrl, joinUrl: canonicalUrl });
}
