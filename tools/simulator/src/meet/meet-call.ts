import type { Member } from '../rooms/members.ts';
import type { MemberStatus } from '../sites/page-messages.ts';
import type { VisitorCall, VisitorCallParts, VisitorDialect } from '../sites/visitor-session.ts';
import { openAttendeeMedia } from './attendee-media.ts';
import { encodeCollectionEvent } from './collections.ts';
import type { OutputRecord, UserRecord } from './collections.ts';

/** A visit of Google Meet: everybody and every change also goes out on the channel `collections`. */
export const meetDialect: VisitorDialect = {
  welcome: ({ options: { lobbyShape, permissionSheet, gotIt, recordingNotice } }) => ({
    lobbyShape,
    permissionSheet,
    gotIt,
    recordingNotice,
  }),
  openCall: openMeetCall,
};

async function openMeetCall(parts: VisitorCallParts): Promise<VisitorCall> {
  const { hosted, attendee, now, loopbackOnly, onState } = parts;
  const { room } = hosted;
  const userRecord = (member: Member, status: MemberStatus): UserRecord => ({
    deviceId: member.deviceId,
    fullName: member.name,
    status,
    isSelf: member.deviceId === attendee.deviceId,
    isHost: member.isHost,
  });
  const media = await openAttendeeMedia({
    people: room.people().map((person) => person.member),
    clockZero: room.clockZero,
    framesPerSecond: hosted.options.framesPerSecond,
    now,
    loopbackOnly,
    onState,
    onCollectionsOpen: () => {
      const members = room.membersInCall();
      media.sendCollections(
        encodeCollectionEvent({
          users: members.map((member) => userRecord(member, 'inCall')),
          outputs: members.flatMap(outputsOf),
        }),
      );
    },
  });
  return {
    offerSdp: media.offerSdp,
    sink: media,
    accept: (sdp) => media.accept(sdp),
    memberChanged: (member, status) =>
      media.sendCollections(
        encodeCollectionEvent({
          users: [userRecord(member, status)],
          outputs: status === 'inCall' ? outputsOf(member) : [],
        }),
      ),
    chat: (message) => media.sendCollections(encodeCollectionEvent({ chat: [message] })),
    close: () => media.close(),
  };
}

function outputsOf(member: Member): OutputRecord[] {
  const { deviceId } = member;
  // Browsers send no media to the room, so theirs are off.
  const disabled = member.personIndex === null;
  return [
    { kind: 'audio', streamId: member.audioStreamId, deviceId, disabled },
    { kind: 'video', streamId: member.videoStreamId, deviceId, disabled },
  ];
}
