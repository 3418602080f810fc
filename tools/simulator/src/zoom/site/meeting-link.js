// What a meeting's address says: its number and its passcode.
import { setLateness } from '/page/elements.js';
import { changePage } from '/page/page-change.js';

export function meetingOf(location) {
  const code = /\/(?:j|w|wc\/join|wc\/client|wc)\/(\d+)/.exec(location.pathname)?.[1] ?? null;
  return { code, passcode: new URLSearchParams(location.search).get('pwd') ?? '' };
}

/** What the service knows of it; null when there is no such meeting. */
export async function findMeeting({ code, passcode }) {
  if (code === null) return null;
  const response = await fetch(`/api/meeting/${code}?pwd=${encodeURIComponent(passcode)}`);
  const meeting = await response.json();
  setLateness(meeting.lateness ?? 1);
  changePage(meeting.pageChange);
  return meeting.known ? meeting : null;
}
