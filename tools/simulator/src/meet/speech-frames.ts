// The speakers and captions of Meet's second audio stack. The layout of `dcrpc` is the one bots read:
//   Frame { 1: keep-alive } or Frame { 2: gzip of State }   State = 1..3 times { 2: ... } around { 2: repeated Participant }
//   Participant { 4: device id, 8: audio stream id, 9: Voice { 2: present while speaking } }
// `captions` is sent on the channel that the page opened:
//   Wrapper { 1: Caption { 1: device id, 2: caption id, 3: version, 4: 1 = final, 6: text, 8: language } }
import { gzipSync } from 'node:zlib';
import type { Member } from '../rooms/members.ts';
import { ProtobufWriter } from './protobuf.ts';

const MOST_WRAPPERS = 3;

/** The current state of all participants; `turn` varies the depth of the list, as the real frames do. */
export function speechFrame(members: readonly Member[], speaking: ReadonlySet<string>, turn: number): Buffer {
  let state = new ProtobufWriter();
  for (const member of members) {
    const voice = new ProtobufWriter().varint(1, 1).varint(2, speaking.has(member.deviceId) ? 1 : 0);
    const participant = new ProtobufWriter().string(4, member.deviceId).varint(8, Number(member.audioStreamId));
    state.message(2, participant.message(9, voice));
  }
  for (let wrapper = turn % MOST_WRAPPERS; wrapper > 0; wrapper -= 1) state = new ProtobufWriter().message(2, state);
  return new ProtobufWriter().bytes(2, gzipSync(state.finish())).finish();
}

export function keepAliveFrame(count: number): Buffer {
  return new ProtobufWriter().varint(1, count).finish();
}

export type Caption = {
  deviceId: string;
  captionId: number;
  version: number;
  final: boolean;
  text: string;
  language: string;
};

export function captionFrame({ deviceId, captionId, version, final, text, language }: Caption): Buffer {
  const caption = new ProtobufWriter()
    .string(1, deviceId)
    .varint(2, captionId)
    .varint(3, version)
    .varint(4, final ? 1 : 0)
    .string(6, text)
    .string(8, language);
  return new ProtobufWriter().message(1, caption).finish();
}

const FLAGS = { no: 0, maybe: 1, yes: 2 } as const;

/** The base64 response of CreateMeetingDevice; field 36 has the site's classification of the guest. */
export function meetingDevice(deviceId: string, detectedAsBot: keyof typeof FLAGS): string {
  const device = new ProtobufWriter().string(1, deviceId).varint(36, FLAGS[detectedAsBot]);
  return device.finish().toString('base64');
}
