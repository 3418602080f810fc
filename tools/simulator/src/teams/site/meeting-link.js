// What a meeting's address says: its number and passcode, or its thread and who organizes it, wherever they stand in it.
import { changePage } from '/page/page-change.js';

export function meetingOf(address) {
  const url = new URL(address, location.origin);
  const coordinates = url.searchParams.get('coords');
  if (coordinates !== null) return fromCoordinates(coordinates);
  // Launcher and full client carry the link behind `#` or in `url`: `/meet/…`, `/_#/meet/…`, `_#/meet/…`.
  const carried = url.searchParams.get('url') ?? url.hash.slice(1);
  const inner = carried.replace(/^\/?_?#/, '');
  const meeting = inner.startsWith('/') ? new URL(inner, location.origin) : url;
  if (meeting.pathname.startsWith('/l/meetup-join/')) return fromThreadLink(meeting);
  const code = /^\/meet\/(\d+)/.exec(meeting.pathname)?.[1] ?? null;
  return { code, passcode: meeting.searchParams.get('p') ?? '' };
}

/** The same meeting's address in the full client, in the form of the request. */
export function pathOf({ code, passcode, tenant }) {
  if (tenant === undefined) return `/meet/${code}?p=${passcode}`;
  const context = JSON.stringify({ Tid: tenant, Oid: passcode });
  return `/l/meetup-join/${encodeURIComponent(threadOf(code))}/0?context=${encodeURIComponent(context)}`;
}

export function coordinatesOf({ code, passcode, tenant }) {
  const byThread = { conversationId: threadOf(code), tenantId: tenant, organizerId: passcode, messageId: '0' };
  return btoa(JSON.stringify(tenant === undefined ? { meetingCode: code, passcode } : byThread));
}

function threadOf(code) {
  return `19:meeting_${code}@thread.v2`;
}

function codeOfThread(thread) {
  return /^19:meeting_(\d+)@thread\.v2$/.exec(thread ?? '')?.[1] ?? null;
}

function fromThreadLink(url) {
  try {
    const { Tid, Oid } = JSON.parse(url.searchParams.get('context'));
    const thread = decodeURIComponent(url.pathname.split('/')[3]);
    return { code: codeOfThread(thread), passcode: String(Oid), tenant: String(Tid) };
  } catch {
    return { code: null, passcode: '' };
  }
}

function fromCoordinates(text) {
  try {
    const { meetingCode, passcode, conversationId, tenantId, organizerId } = JSON.parse(atob(text));
    if (meetingCode !== undefined) return { code: String(meetingCode), passcode: String(passcode) };
    return { code: codeOfThread(conversationId), passcode: String(organizerId), tenant: String(tenantId) };
  } catch {
    return { code: null, passcode: '' };
  }
}

/** What the service knows of it; null when there is no such meeting. */
export async function findMeeting({ code, passcode }) {
  if (code === null) return null;
  const response = await fetch(`/api/meeting/${encodeURIComponent(code)}?p=${encodeURIComponent(passcode)}`);
  const { known, teams, pageChange } = await response.json();
  changePage(pageChange);
  return known ? teams : null;
}
