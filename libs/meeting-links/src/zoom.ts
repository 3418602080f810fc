import { queryValues } from './encoded-text.ts';
import { accept, refuse } from './meeting-link.ts';
import type { LinkResult, PlatformLinks } from './meeting-link.ts';

const paths = [
  /^\/(?:j|w)\/([^/]*)\/?$/,
  /^\/wc\/join\/([^/]*)\/?$/,
  /^\/wc\/([^/]*)\/join\/?$/,
  /^\/launch\/jc\/([^/]*)\/?$/,
];

/** Links of meetings that no guest can join by, by the beginning of their path. */
const otherForms: readonly (readonly [path: RegExp, reason: string])[] = [
  [
    /^\/my\//,
    'This Zoom link names a personal room and carries no meeting number. Send the invitation link with /j/ and the number.',
  ],
  [
    /^\/(s\/|wc\/[^/]*\/start)/,
    'This Zoom link starts the meeting as its host. Send the invitation link for participants, with /j/ and the meeting number.',
  ],
  [
    /^\/(meeting|webinar)\/(register|tickets)\b/,
    'This Zoom link leads to a registration page. Register the bot and send the personal link that Zoom returns.',
  ],
  [/^\/(e|ev|events)\//, 'Zoom Events links lead to a ticket page, not to a meeting.'],
];
const recordings = /^\/(rec|recording)\//;
const eventHosts = /^(?:events?|ev)\.zoom(?:\.us|\.com|gov\.com)$/;
/** Beginnings of paths that belong to a meeting; Zoom has many other pages. */
const meetingPaths = /^\/(?:j|w|wc|p|launch)\/./;
const otherServices = /(?:^|\.)(?:zoom\.com\.cn|zoom\.cn|zoomx\.de|zoom-x\.de)$/;

function isZoomHost(hostname: string): boolean {
  return /(^|\.)(zoom\.us|zoom\.com|zoomgov\.com)$/.test(hostname);
}

/** The reason for a link of a Zoom service that bots cannot enter, or null. */
function otherZoomHost(url: URL): string | null {
  if (!otherServices.test(url.hostname)) return null;
  return `Meetings of the separate Zoom service on ${url.hostname.slice(0, 100)} are not supported.`;
}

/**
 * `/j/<id>`, `/w/<id>`, `/wc/join/<id>`, `/wc/<id>/join`, `/launch/jc/<id>` and, as Zoom's program writes it,
 * `/join?confno=<id>`; `pwd` and `tk` are kept for joining, whole.
 */
function readZoom(url: URL): LinkResult {
  if (eventHosts.test(url.hostname))
    return refuse('Zoom Events links lead to a ticket page, not to a meeting.', 'zoom');
  const inQuery = url.pathname === '/join' ? queryValues(url, 'confno') : [];
  if (inQuery.length > 1) return refuse('The Zoom link has its meeting number more than once.', 'zoom');
  const meetingId = inQuery[0] ?? paths.map((path) => path.exec(url.pathname)?.[1]).find((id) => id !== undefined);
  if (meetingId === undefined) return refuseOther(url);
  if (!/^\d{9,11}$/.test(meetingId)) return refuse('The meeting number of a Zoom link has 9 to 11 digits.', 'zoom');
  const kept = keptParameters(url);
  if ('problem' in kept) return refuse(kept.problem, 'zoom');
  const home = url.hostname.endsWith('zoomgov.com') ? 'zoomgov.com' : 'zoom.us';
  return accept({
    platform: 'zoom',
    meetingId,
    canonicalUrl: `https://${home}/j/${meetingId}`,
    joinUrl: `https://app.${home}/wc/${meetingId}/join${kept.query}`,
  });
}

function refuseOther({ pathname }: URL): LinkResult {
  const form = otherForms.find(([path]) => path.test(pathname));
  if (form !== undefined) return refuse(form[1], 'zoom');
  if (recordings.test(pathname)) return refuse('This Zoom link leads to a recording, not to a meeting.');
  const isMeeting = meetingPaths.test(pathname);
  return refuse('A Zoom link looks like https://zoom.us/j/ and the meeting number.', isMeeting ? 'zoom' : null);
}

/**
 * The encrypted form has a version of one digit after a dot; the plain form is a valid passcode of Zoom. Any further
 * text was appended to the link.
 */
const passcodeForm = /^[\w@*~+/=-]{1,256}(?:\.\d)?$/;
const registrantForm = /^[\w.~+/=-]{1,512}$/;

function keptParameters(url: URL): { readonly query: string } | { readonly problem: string } {
  const kept = new URLSearchParams();
  for (const { name, label, form } of [
    { name: 'pwd', label: 'passcode (pwd=)', form: passcodeForm },
    { name: 'tk', label: "registrant's token (tk=)", form: registrantForm },
  ]) {
    const values = queryValues(url, name);
    const [value] = values;
    if (values.length > 1) return { problem: `The Zoom link has its ${label} more than once.` };
    // Zoom writes an empty parameter where a meeting has none.
    if (value === undefined || value === '') continue;
    if (value === null || !form.test(value)) {
      return { problem: `The ${label} of the Zoom link is damaged, or a text is glued to it. Copy the whole link.` };
    }
    kept.set(name, value);
  }
  return { query: kept.size === 0 ? '' : `?${kept.toString()}` };
}

export const zoomLinks: PlatformLinks = {
  isHost: isZoomHost,
  otherHost: otherZoomHost,
  read: readZoom,
  hosts: ['zoom.us', 'zoom.com', 'zoomgov.com'],
  hints: ['zoom'],
};
