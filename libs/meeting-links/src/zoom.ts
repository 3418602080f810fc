import { accept, refuse } from './meeting-link.ts';
import type { LinkResult } from './meeting-link.ts';

const paths = [/^\/(?:j|w)\/(\d+)\/?$/, /^\/wc\/join\/(\d+)\/?$/, /^\/wc\/(\d+)\/join\/?$/];
const eventHosts = new Set(['events.zoom.us', 'ev.zoom.com', 'ev.zoom.us', 'events.zoom.com']);

export function isZoomHost(hostname: string): boolean {
  return /(^|\.)(zoom\.us|zoom\.com|zoomgov\.com)$/.test(hostname);
}

/** `/j/<id>`, `/w/<id>`, `/wc/join/<id>`, `/wc/<id>/join`; `pwd` and `tk` are kept for joining. */
export function readZoom(url: URL): LinkResult {
  if (eventHosts.has(url.hostname)) return refuse('Zoom Events links lead to a ticket page, not to a meeting.');
  if (/^\/(my|s)\//.test(url.pathname)) {
    return refuse('This Zoom link carries no meeting number. Send the invitation link with /j/ and the number.');
  }
  const meetingId = paths.map((path) => path.exec(url.pathname)?.[1]).find((id) => id !== undefined);
  if (meetingId === undefined) return refuse('A Zoom link looks like https://zoom.us/j/ and the meeting number.');
  if (!/^\d{9,11}$/.test(meetingId)) return refuse('The meeting number of a Zoom link has 9 to 11 digits.');
  const government = url.hostname.endsWith('zoomgov.com');
  const home = government ? 'zoomgov.com' : 'zoom.us';
  return accept({
    platform: 'zoom',
    meetingId,
    canonicalUrl: `https://${home}/j/${meetingId}`,
    joinUrl: `https://app.${home}/wc/${meetingId}/join${keptParameters(url)}`,
  });
}

function keptParameters(url: URL): string {
  const kept = new URLSearchParams();
  const passcode = /^([a-zA-Z0-9]+(?:\.\d+)?)/.exec(url.searchParams.get('pwd') ?? '')?.[1];
  if (passcode !== undefined) kept.set('pwd', passcode);
  const registrant = url.searchParams.get('tk');
  if (registrant !== null && /^[\w.-]{1,200}$/.test(registrant)) kept.set('tk', registrant);
  return kept.size === 0 ? '' : `?${kept.toString()}`;
}
