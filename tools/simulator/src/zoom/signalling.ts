import type { Member } from '../rooms/members.ts';

// Frames of the web client's signalling, as its worker hands them to the page: JSON with an event number and a body.

const JOINED = 4098;
const ROSTER = 7937;
const ACTIVE_SPEAKERS = 12_033;
const LEVEL = 8005;
const SHARING = 20_481;
/** User ids step by this: the lower bits count streams. */
const USER_ID_STEP = 1024;
const FIRST_USER_ID = 16_778_240;

/** The user id of a member in frames. */
export function userIdOf(member: Member): number {
  const number = Number(member.deviceId.split('/').at(-1));
  return FIRST_USER_ID + number * USER_ID_STEP;
}

/** The response to a client's own join: the first frame of its call. */
export function joined(member: Member): string {
  return frame(JOINED, { res: 0, userID: userIdOf(member), zoomID: `zoom-${userIdOf(member)}` });
}

export function rosterAdded(members: readonly Member[]): string {
  const add = members.map((member) => ({
    id: userIdOf(member),
    dn2: Buffer.from(member.name).toString('base64'),
    bHost: member.isHost,
    bCoHost: false,
    bBotUser: member.kind === 'bot',
    audio: member.kind === 'phone' ? 'phone' : 'computer',
    muted: false,
  }));
  return frame(ROSTER, { add });
}

export function rosterRenamed(member: Member): string {
  return frame(ROSTER, { update: [{ id: userIdOf(member), dn2: Buffer.from(member.name).toString('base64') }] });
}

export function rosterRemoved(member: Member): string {
  return frame(ROSTER, { remove: [{ id: userIdOf(member) }] });
}

/** `asn1` is the loudest; an empty body is silence. */
export function activeSpeakers(members: readonly Member[]): string {
  return frame(
    ACTIVE_SPEAKERS,
    Object.fromEntries(members.map((member, index) => [`asn${index + 1}`, userIdOf(member)])),
  );
}

/** `nLevel` 0 to 9. */
export function levelOf(member: Member, levelDbov: number): string {
  const nLevel = Math.max(0, Math.min(9, Math.round((60 - levelDbov) / 6)));
  return frame(LEVEL, { nUserID: userIdOf(member), nLevel });
}

/** The sharing participant; 0: none. */
export function sharedBy(member: Member | null): string {
  return frame(SHARING, { activeNodeID: member === null ? 0 : userIdOf(member) });
}

function frame(evt: number, body: object): string {
  return JSON.stringify({ evt, body, seq: 0 });
}
