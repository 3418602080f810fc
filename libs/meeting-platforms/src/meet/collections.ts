// Google Meet sends participants, stream owners and chat as zlib-deflated protobuf over the data channel `collections`,
// and the whole list of participants about once a minute as the response of an RPC.
import { inflateSync } from 'node:zlib';
import { messagesIn, numberIn, readProtobuf, textIn } from '../protobuf.page.ts';
import type { ProtobufField } from '../protobuf.page.ts';

export interface CollectionUser {
  readonly deviceId: string;
  readonly name: string | null;
  readonly avatarUrl: string | null;
  /** Null when the record does not contain it. */
  readonly presence: 'in-call' | 'left' | 'removed' | null;
  readonly isSelf: boolean;
  readonly isHost: boolean;
  /** Set on a shared screen: the device of the participant who shares. */
  readonly parentDeviceId: string | null;
}

export interface CollectionOutput {
  readonly kind: 'audio' | 'video';
  readonly streamId: string;
  readonly deviceId: string;
  readonly disabled: boolean;
}

export interface CollectionChat {
  readonly messageId: string;
  readonly deviceId: string | null;
  readonly sentAtMs: number | null;
  readonly text: string;
}

export interface CollectionChange {
  readonly users: readonly CollectionUser[];
  readonly outputs: readonly CollectionOutput[];
  readonly chat: readonly CollectionChat[];
}

const largestInflatedBytes = 4 * 1024 * 1024;
const presences: Readonly<Record<number, CollectionUser['presence']>> = { 1: 'in-call', 6: 'left', 7: 'removed' };

/**
 * One message of the channel `collections`. Missing parts are empty; unknown fields are skipped.
 * @throws Error when the bytes are neither deflated nor plain protobuf
 */
export function decodeCollections(payload: Uint8Array): CollectionChange {
  const spaces = messagesIn(readProtobuf(inflated(payload)), 1).flatMap((body) => messagesIn(body, 2));
  const participantsAndChat = spaces.flatMap((space) => messagesIn(space, 13));
  return {
    outputs: spaces
      .flatMap((space) => messagesIn(space, 3))
      .flatMap((outputs) => messagesIn(outputs, 2))
      .flatMap(outputOf),
    users: participantsAndChat
      .flatMap((part) => messagesIn(part, 1))
      .flatMap((participants) => messagesIn(participants, 2))
      .flatMap(userOf),
    chat: participantsAndChat
      .flatMap((part) => messagesIn(part, 4))
      .flatMap((wrapper) => messagesIn(wrapper, 2))
      .flatMap(chatOf),
  };
}

/**
 * The response of SyncMeetingSpaceCollections: all participants who are in the call now.
 * @throws Error when the text is no base64 protobuf
 */
export function decodeSpaceSync(base64: string): CollectionUser[] {
  const spaces = messagesIn(readProtobuf(Buffer.from(base64.trim(), 'base64')), 2);
  return spaces
    .flatMap((space) => messagesIn(space, 2))
    .flatMap((participants) => messagesIn(participants, 2))
    .flatMap(userOf);
}

function inflated(payload: Uint8Array): Uint8Array {
  // A zlib stream begins with 0x78 on every level that browsers and servers use.
  if (payload[0] !== 0x78) return payload;
  return inflateSync(payload, { maxOutputLength: largestInflatedBytes });
}

function outputOf(fields: ProtobufField[]): CollectionOutput[] {
  const type = numberIn(fields, 2);
  const streamId = textIn(fields, 4);
  const deviceId = textIn(fields, 6);
  if ((type !== 1 && type !== 2) || streamId === null || deviceId === null) return [];
  const disabled = messagesIn(fields, 10).some((status) => (numberIn(status, 1) ?? 0) !== 0);
  return [{ kind: type === 1 ? 'audio' : 'video', streamId, deviceId, disabled }];
}

function userOf(fields: ProtobufField[]): CollectionUser[] {
  const deviceId = textIn(fields, 1);
  if (deviceId === null) return [];
  return [
    {
      deviceId,
      name: textIn(fields, 29) ?? textIn(fields, 2),
      avatarUrl: textIn(fields, 3),
      presence: presences[numberIn(fields, 4) ?? 0] ?? null,
      isSelf: fields.some((entry) => entry.field === 7),
      isHost: numberIn(fields, 34) === 1,
      parentDeviceId: textIn(fields, 21),
    },
  ];
}

function chatOf(fields: ProtobufField[]): CollectionChat[] {
  const messageId = textIn(fields, 1);
  const text = messagesIn(fields, 5).map((content) => textIn(content, 1))[0] ?? null;
  if (messageId === null || text === null) return [];
  const micros = numberIn(fields, 3);
  return [
    { messageId, deviceId: textIn(fields, 2), sentAtMs: micros === null ? null : Math.round(micros / 1000), text },
  ];
}
