// Teams signals over a socket whose frames begin with `3:::`; the JSON after it has its body as base64 of zlib.
import { inflateSync } from 'node:zlib';

export interface TeamsParticipant {
  /** The service's id: `8:orgid:…`, `8:teamsvisitor:…`. */
  readonly id: string;
  /** As shown, with `(Unverified)` or `(Guest)`; null when the record does not contain it. */
  readonly displayName: string | null;
  /** Null when the record does not contain it. */
  readonly present: boolean | null;
  readonly isHost: boolean;
  /** Stream ids of this participant's audio, as the dominant-speaker history and contributing sources give them. */
  readonly speakers: readonly string[];
}

export type TeamsFrame =
  | { readonly kind: 'roster'; readonly callId: string | null; readonly participants: readonly TeamsParticipant[] }
  | { readonly kind: 'end'; readonly callId: string | null; readonly subCode: number | null };

const frameStart = '3:::';
const largestFrame = 2 * 1024 * 1024;
const largestInflatedBytes = 8 * 1024 * 1024;

type Json = Readonly<Record<string, unknown>>;

/**
 * One frame of the signalling socket; null when it is about something else.
 * @throws Error when a frame about the roster or the end can't be read
 */
export function decodeTeamsFrame(text: string): TeamsFrame | null {
  if (!text.startsWith(frameStart) || text.length > largestFrame) return null;
  const frame = objectOf(JSON.parse(text.slice(frameStart.length)));
  const url = textOf(frame['url']) ?? '';
  const [path = ''] = url.split(/[?#]/, 1);
  const about = /(rosterUpdate|conversationEnd)\/?$/.exec(path)?.[1];
  if (about === undefined) return null;
  const body = objectOf(JSON.parse(inflated(textOf(frame['body']) ?? '')));
  const callId = textOf(objectOf(frame['headers'])['X-Microsoft-Skype-Chain-ID']);
  if (about === 'rosterUpdate') return { kind: 'roster', callId, participants: participantsOf(body['participants']) };
  const end = objectOf(body['conversationEnd'] ?? body);
  const subCode = Number(end['subCode'] ?? Number.NaN);
  return { kind: 'end', callId, subCode: Number.isFinite(subCode) ? subCode : null };
}

/** The full roster that a late joiner fetches; null when the response has none. */
export function decodeRosterResponse(text: string): TeamsParticipant[] | null {
  const roster = objectOf(objectOf(JSON.parse(text))['roster']);
  return roster['participants'] === undefined ? null : participantsOf(roster['participants']);
}

function inflated(body: string): string {
  const bytes = Buffer.from(body, 'base64');
  // A zlib stream begins with 0x78 on every level in use; a frame may carry plain JSON as well.
  if (bytes[0] === 0x78) return inflateSync(bytes, { maxOutputLength: largestInflatedBytes }).toString('utf8');
  return body;
}

/** Keyed by id, or a list. */
function participantsOf(participants: unknown): TeamsParticipant[] {
  const entries: [string, unknown][] = Array.isArray(participants)
    ? participants.map((participant) => ['', participant])
    : Object.entries(objectOf(participants));
  return entries.flatMap(([key, participant]) => participantOf(key, objectOf(participant)));
}

function participantOf(key: string, record: Json): TeamsParticipant[] {
  const details = objectOf(record['details']);
  const id = textOf(details['id']) ?? (key === '' ? null : key);
  if (id === null) return [];
  const state = textOf(record['state']);
  const streams = Object.values(objectOf(record['endpoints']))
    .flatMap((endpoint) => listOf(objectOf(objectOf(endpoint)['call'])['mediaStreams']))
    .map(objectOf);
  return [
    {
      id,
      displayName: textOf(details['displayName']),
      present: state === null ? null : state.toLowerCase() === 'active',
      isHost: textOf(record['meetingRole'])?.toLowerCase() === 'organizer',
      speakers: streams
        .filter((stream) => stream['type'] === 'audio' && stream['sourceId'] !== undefined)
        .map((stream) => String(stream['sourceId'])),
    },
  ];
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
