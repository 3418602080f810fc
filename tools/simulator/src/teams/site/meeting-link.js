// What a meeting's address says: the number of the meeting and its passcode, wherever they stand in it.

export function meetingOf(address) {
  const url = new URL(address, location.origin);
  const coordinates = url.searchParams.get('coords');
  if (coordinates !== null) return fromCoordinates(coordinates);
  // Launcher and full client carry the link behind `#` or in `url`: `/meet/…`, `/_#/meet/…`, `_#/meet/…`.
  const carried = url.searchParams.get('url') ?? url.hash.slice(1);
  const inner = carried.replace(/^\/?_?#/, '');
  const meeting = inner.startsWith('/') ? new URL(inner, location.origin) : url;
  const code = /^\/meet\/(\d+)/.exec(meeting.pathname)?.[1] ?? null;
  return { code, passcode: meeting.searchParams.get('p') ?? '' };
}

export function coordinatesOf({ code, passcode }) {
  return btoa(JSON.stringify({ meetingCode: code, passcode }));
}

function fromCoordinates(text) {
  try {
    const { meetingCode, passcode } = JSON.parse(atob(text));
    return { code: String(meetingCode), passcode: String(passcode) };
  } catch {
    return { code: null, passcode: '' };
  }
}

/** What the service knows of it; null when there is no such meeting. */
export async function findMeeting({ code, passcode }) {
  if (code === null) return null;
  const response = await fetch(`/api/meeting/${encodeURIComponent(code)}?p=${encodeURIComponent(passcode)}`);
  const { known, teams } = await response.json();
  return known ? teams : null;
}
