import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { CaptionVersion } from '../captions/room-captions.ts';
import type { Member } from '../rooms/members.ts';

/** A participant as the service's roster names them; the key in a roster is the MRI. */
export type RosterParticipant = {
  details: { id: string; displayName: string };
  state: 'active' | 'inactive';
  meetingRole: 'organizer' | 'presenter' | 'attendee';
  endpoints: Record<string, { call: { mediaStreams: RosterStream[] } }>;
};

type RosterStream = { type: 'audio' | 'video'; direction: 'sendrecv' | 'recvonly'; sourceId: number };

/** The devices of one account have one. */
export function mriOf(member: Member): string {
  const id = createHash('sha256')
    .update(member.accountDeviceId ?? member.deviceId)
    .digest('hex');
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  switch (member.kind ?? (member.participantIndex === null ? 'guest' : 'account')) {
    case 'guest':
      return `8:teamsvisitor:${id.slice(0, 32)}`;
    case 'personal':
      return `8:live:someone.${id.slice(0, 6)}@mail.example`;
    case 'phone':
      return `4:+49${BigInt(`0x${id.slice(0, 16)}`)
        .toString()
        .slice(0, 10)}`;
    case 'bot':
      return `28:${uuid}`;
    default:
      return `8:orgid:${uuid}`;
  }
}

export function participantOf(member: Member, present: boolean): RosterParticipant {
  const guest = member.kind === 'guest' || member.participantIndex === null;
  const direction = member.participantIndex === null ? 'recvonly' : 'sendrecv';
  const mediaStreams: RosterStream[] = [
    { type: 'audio', direction, sourceId: Number(member.audioStreamId) },
    { type: 'video', direction, sourceId: Number(member.videoStreamId) },
  ];
  const id = mriOf(member);
  return {
    details: { id, displayName: guest ? `${member.name} (Unverified)` : member.name },
    state: present ? 'active' : 'inactive',
    meetingRole: member.isHost ? 'organizer' : guest ? 'attendee' : 'presenter',
    endpoints: present ? { [createHash('md5').update(member.deviceId).digest('hex')]: { call: { mediaStreams } } } : {},
  };
}

/** The reason of the service to end a conversation for one client. */
export const conversationEnds = {
  removed: { subCode: 5300, phrase: 'participantRemoved' },
  meetingEnded: { subCode: 0, phrase: 'conversationEnded' },
  refused: { subCode: 5854, phrase: 'joinDenied' },
  anonymousJoinDisabled: { subCode: 5723, phrase: 'anonymousJoinDisabled' },
} as const;

export function rosterOf(members: readonly Member[], present = true): Record<string, RosterParticipant> {
  const roster: Record<string, RosterParticipant> = {};
  for (const member of members) {
    const participant = participantOf(member, present);
    const endpoints = { ...roster[participant.details.id]?.endpoints, ...participant.endpoints };
    roster[participant.details.id] = { ...participant, endpoints };
  }
  return roster;
}

/** One frame of the signalling socket: `3:::` and JSON, whose body is zlib in base64. */
export function rosterFrame(participants: Record<string, RosterParticipant>, callId: string): string {
  const body = deflateSync(JSON.stringify({ participants })).toString('base64');
  const url = `/v4/f/simulator/conversation/${callId}/rosterUpdate/`;
  return `3:::${JSON.stringify({ id: 1, method: 'POST', url, headers: { 'X-Microsoft-Skype-Chain-ID': callId }, body })}`;
}

/** The end of the conversation for this client, with the service's reason. */
export function conversationEndFrame(end: { subCode: number; phrase: string }, callId: string): string {
  const body = deflateSync(JSON.stringify({ conversationEnd: { code: 0, ...end } })).toString('base64');
  const url = `/v4/f/simulator/conversation/${callId}/conversationEnd/`;
  return `3:::${JSON.stringify({ id: 2, method: 'POST', url, headers: { 'X-Microsoft-Skype-Chain-ID': callId }, body })}`;
}

const TICKS_PER_MS = 10_000;
/** From 1900 to 1970. */
const TICKS_EPOCH_MS = 2_208_988_800_000;

/** One result of the service's speech recognition: without an id, with the time of its audio in ticks of 100 ns since 1900. */
export function captionResult(member: Member, version: CaptionVersion, clockZero: number): object {
  const { text, final: isFinal, startMs, endMs, language } = version;
  return {
    userId: mriOf(member),
    text,
    isFinal,
    spokenLanguage: language.toLowerCase(),
    timestampAudioSent: Math.round((clockZero + startMs + TICKS_EPOCH_MS) * TICKS_PER_MS),
    duration: Math.round((endMs - startMs) * TICKS_PER_MS),
  };
}

/** A message of the data channel `main-channel`: four bytes, then JSON. */
export function channelMessage(content: object): Buffer {
  const json = Buffer.from(JSON.stringify([content]));
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(json.length);
  return Buffer.concat([prefix, json]);
}
