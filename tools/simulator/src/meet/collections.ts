// The `collections` data channel carries zlib-deflated protobuf; field numbers as several bots read them on the real site:
//   CollectionEvent { 1: Body }   Body { 2: Space }   Space { 3: DeviceOutputs, 13: PeopleAndChat }
//   DeviceOutputs { 2: repeated DeviceOutput }
//   DeviceOutput { 2: type (1 audio, 2 video), 4: stream id, 6: device id, 10: OutputStatus { 1: disabled } }
//   PeopleAndChat { 1: People, 4: repeated ChatWrapper }   People { 2: repeated User }
//   User { 1: device id, 2: full name, 3: avatar URL, 4: status, 7: present = current user, 21: parent device,
//          29: display name, 34: host }
//   ChatWrapper { 2: ChatMessage }
//   ChatMessage { 1: message id, 2: device id, 3: microseconds since 1970, 5: Content { 1: text } }
import { deflateSync } from 'node:zlib';
import { ProtobufWriter } from './protobuf.ts';

export type UserStatus = 'inCall' | 'left' | 'removed';
export type UserRecord = {
  deviceId: string;
  fullName: string;
  status: UserStatus;
  isSelf: boolean;
  isHost: boolean;
  parentDeviceId?: string;
};
export type OutputRecord = { kind: 'audio' | 'video'; streamId: string; deviceId: string; disabled: boolean };
export type ChatRecord = { messageId: string; deviceId: string; sentAtMs: number; text: string };
export type CollectionChange = {
  users?: readonly UserRecord[];
  outputs?: readonly OutputRecord[];
  chat?: readonly ChatRecord[];
};

const STATUS_NUMBERS: Record<UserStatus, number> = { inCall: 1, left: 6, removed: 7 };

/** One message for the `collections` channel. */
export function encodeCollectionEvent(change: CollectionChange): Buffer {
  const space = new ProtobufWriter();
  if (change.outputs?.length) space.message(3, outputsMessage(change.outputs));
  if (change.users?.length || change.chat?.length) {
    const participantsAndChat = new ProtobufWriter();
    if (change.users?.length) participantsAndChat.message(1, participantsMessage(change.users));
    for (const message of change.chat ?? []) {
      participantsAndChat.message(4, new ProtobufWriter().message(2, chatMessage(message)));
    }
    space.message(13, participantsAndChat);
  }
  const body = new ProtobufWriter().message(2, space);
  return deflateSync(new ProtobufWriter().message(1, body).finish());
}

/** The base64 response of SyncMeetingSpaceCollections: `{ 2: { 2: Participants } }`, all participants in the call. */
export function encodeSpaceSync(users: readonly UserRecord[]): string {
  const inner = new ProtobufWriter().message(2, participantsMessage(users));
  return new ProtobufWriter().message(2, inner).finish().toString('base64');
}

function outputsMessage(outputs: readonly OutputRecord[]): ProtobufWriter {
  const list = new ProtobufWriter();
  for (const output of outputs) {
    const status = new ProtobufWriter().varint(1, output.disabled ? 1 : 0);
    const record = new ProtobufWriter()
      .varint(2, output.kind === 'audio' ? 1 : 2)
      .string(4, output.streamId)
      .string(6, output.deviceId)
      .message(10, status);
    list.message(2, record);
  }
  return list;
}

function participantsMessage(users: readonly UserRecord[]): ProtobufWriter {
  const list = new ProtobufWriter();
  for (const user of users) {
    const record = new ProtobufWriter()
      .string(1, user.deviceId)
      .string(2, user.fullName)
      .varint(4, STATUS_NUMBERS[user.status])
      .string(7, user.isSelf ? user.deviceId : '')
      .string(21, user.parentDeviceId ?? '')
      .string(29, user.fullName)
      .varint(34, user.isHost ? 1 : 0);
    list.message(2, record);
  }
  return list;
}

function chatMessage(chat: ChatRecord): ProtobufWriter {
  return new ProtobufWriter()
    .string(1, chat.messageId)
    .string(2, chat.deviceId)
    .varint(3, chat.sentAtMs * 1000)
    .message(5, new ProtobufWriter().string(1, chat.text));
}
