import type { Member } from '../rooms/members.ts';
import type { MemberStatus } from '../sites/page-messages.ts';
import type { ClientCall, ClientCallDependencies, ClientDialect } from '../sites/client-session.ts';
import { CaptionFeed } from '../captions/caption-feed.ts';
import { shownToPages } from '../captions/caption-options.ts';
import { mediaMessage } from '../media/media-message.ts';
import { openAttendeeMedia } from './attendee-media.ts';
import type { AttendeeMedia } from './attendee-media.ts';
import { encodeCollectionEvent } from './collections.ts';
import type { OutputRecord, UserRecord } from './collections.ts';
import { captionFrame } from './speech-frames.ts';
import { SpeechSignals } from './speech-signals.ts';

/** A session of Google Meet: all participants and every change are also sent on the channel `collections`. */
export const meetDialect: ClientDialect = {
  welcome: ({ options: { meet, chat, captions } }) => ({ ...meet, chat, captions: shownToPages(captions) }),
  openCall: openMeetCall,
  showsScreens: true,
};

async function openMeetCall(dependencies: ClientCallDependencies): Promise<ClientCall> {
  const { hosted, attendee, decodesAudio, now, loopbackOnly, received, onState, onVideoPackets, sendBinary } =
    dependencies;
  const { room, options } = hosted;
  const { audioStack, extraTrack, mediaAfterMs, videoRefused } = options.meet;
  await new Promise((resolve) => setTimeout(resolve, mediaAfterMs));
  const encoded = audioStack === 'encoded' || (audioStack === 'as-found' && decodesAudio);
  const everybody = (): Member[] => [...room.membersInCall(), ...(room.screenShared ? [room.screen] : [])];
  const userRecord = (member: Member, status: MemberStatus): UserRecord => ({
    deviceId: member.deviceId,
    fullName: member.name,
    status,
    isSelf: member.deviceId === attendee.deviceId,
    isHost: member.isHost,
    ...(member.parentDeviceId === undefined ? {} : { parentDeviceId: member.parentDeviceId }),
  });
  const signals = new SpeechSignals(hosted, { now, send: (channel, payload) => media.send(channel, payload) });
  const captions = openCaptions(dependencies, (payload) => media.send('captions', payload));
  const media: AttendeeMedia = await openAttendeeMedia({
    participants: room.participants().map((participant) => participant.member),
    screenStreamId: room.screen.videoStreamId,
    sendEncoded: encoded
      ? (participantIndex, packet, tick) =>
          sendBinary(mediaMessage({ kind: 'audio', participantIndex, key: packet.startsSpurt, tick }, packet.payload))
      : null,
    extraTrack,
    heard: (participantIndex, packet) => signals.hear(participantIndex, packet),
    clockZero: room.clockZero,
    framesPerSecond: hosted.options.framesPerSecond,
    now,
    loopbackOnly,
    received,
    onState,
    onVideoPackets,
    onCollectionsOpen: () => {
      const members = everybody();
      media.send(
        'collections',
        encodeCollectionEvent({
          users: members.map((member) => userRecord(member, 'inCall')),
          outputs: members.flatMap(outputsOf),
        }),
      );
    },
  });
  signals.start();
  return {
    offerSdp: media.offerSdp,
    sink: media,
    accept: async (sdp) => (videoRefused === 'fails' && !receivesFrames(sdp) ? undefined : media.accept(sdp)),
    memberChanged: (member, status) =>
      media.send(
        'collections',
        encodeCollectionEvent({
          users: [userRecord(member, status)],
          outputs: status === 'inCall' ? outputsOf(member) : [],
        }),
      ),
    devicesChanged: (member) => media.send('collections', encodeCollectionEvent({ outputs: outputsOf(member) })),
    chat: (message) => media.send('collections', encodeCollectionEvent({ chat: [message] })),
    captions: (on) => captions.set(on),
    close: async () => {
      captions.stop();
      signals.stop();
      await media.close();
    },
  };
}

/** On the channel, and to the page that shows them. */
function openCaptions(
  { hosted, now, send }: ClientCallDependencies,
  sendOnChannel: (payload: Buffer) => void,
): CaptionFeed {
  return new CaptionFeed(hosted, now, ({ participantIndex, ...version }) => {
    const deviceId = hosted.room.participants()[participantIndex]?.member.deviceId;
    if (deviceId === undefined) return;
    sendOnChannel(captionFrame({ ...version, deviceId }));
    send({ kind: 'caption', ...version, deviceId });
  });
}

function receivesFrames(answerSdp: string): boolean {
  return /\r\nm=video (?:(?!\r\nm=)[^])*\r\na=(?:recvonly|sendrecv)/.test(answerSdp);
}

function outputsOf(member: Member): OutputRecord[] {
  const { deviceId } = member;
  return [
    { kind: 'audio', streamId: member.audioStreamId, deviceId, disabled: member.microphone === false },
    { kind: 'video', streamId: member.videoStreamId, deviceId, disabled: member.camera === false },
  ];
}
