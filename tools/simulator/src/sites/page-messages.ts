import * as z from 'zod';
import type { Member } from '../rooms/members.ts';
import type { ChatMessage } from '../rooms/members.ts';
import type { Fault } from '../rooms/faults.ts';

/** More than any platform's composer takes. */
const LONGEST_CHAT = 4_096;

// Messages between page and server over the page's own WebSocket. Not part of the interface for bots.

export const pageMessageSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('requestJoin'),
    name: z.string().trim().min(1).max(60),
    /** The page decodes and mixes audio itself. */
    decodesAudio: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('joinBlocked'), name: z.string().max(60) }),
  /** A press or a text without an effect: on what, and why. */
  z.strictObject({ kind: z.literal('pressIgnored'), what: z.string().max(100), why: z.string().max(200) }),
  z.strictObject({ kind: z.literal('answer'), sdp: z.string().max(100_000) }),
  z.strictObject({ kind: z.literal('chat'), text: z.string().min(1).max(LONGEST_CHAT) }),
  /** The devices that the page sends from now on. */
  z.strictObject({ kind: z.literal('devices'), camera: z.boolean(), microphone: z.boolean() }),
  /** Whether the page receives others' videos from now on. */
  z.strictObject({ kind: z.literal('incomingVideo'), wanted: z.boolean() }),
  z.strictObject({ kind: z.literal('noticeHidden') }),
  /** The page's user turns captions on or off, with a language. */
  z.strictObject({ kind: z.literal('captions'), on: z.boolean(), language: z.string().max(40) }),
  z.strictObject({ kind: z.literal('leave') }),
]);

export type PageMessage = z.infer<typeof pageMessageSchema>;

export type MemberStatus = 'inCall' | 'left' | 'removed';

/** The messages of every platform's page; a welcome also has the fields of the platform's own page. */
export type ServerMessage =
  | { kind: 'unknownCode' }
  | { kind: 'welcome' }
  | { kind: 'lobby'; attendeeId: string; self: Member }
  | { kind: 'admitted'; members: Member[] }
  | { kind: 'refused' }
  | { kind: 'noResponse' }
  | { kind: 'removed' }
  | { kind: 'meetingEnded' }
  | { kind: 'offer'; sdp: string }
  | { kind: 'fault'; fault: Fault }
  | { kind: 'networkBack' }
  | { kind: 'member'; member: Member; status: MemberStatus }
  | { kind: 'chat'; message: ChatMessage };
