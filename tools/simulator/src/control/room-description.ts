import type { HostedRoom } from '../rooms/room-registry.ts';
import { addressOf } from '../sites/platforms.ts';
import type { PlatformName } from '../sites/platforms.ts';

/** A room in the control API. Times: `clockZero` and `...At` are epoch ms, `startMs`/`endMs` ms in the loop. */
export function describeRoom(hosted: HostedRoom, info: { linkHosts: Readonly<Record<PlatformName, string>> }) {
  const { room, options, participants, schedule } = hosted;
  const { linkedHost, linkPath } = addressOf(options.platform);
  const path = linkPath(room.code, options);
  return {
    code: room.code,
    platform: options.platform,
    url: `https://${info.linkHosts[options.platform]}${path}`,
    realUrl: `https://${linkedHost}${path}`,
    state: room.endedAt === null ? 'running' : 'ended',
    endedAt: room.endedAt,
    clockZero: room.clockZero,
    loopSeconds: options.loopSeconds,
    framesPerSecond: options.framesPerSecond,
    options,
    participants: room.participants().map(({ member, inCall }, index) => ({
      index,
      name: member.name,
      voice: participants[index]?.voice[0]?.name ?? '',
      inCall,
      deviceId: member.deviceId,
      audioStreamId: member.audioStreamId,
      videoStreamId: member.videoStreamId,
    })),
    schedule,
    lobby: attendeesIn(hosted, 'lobby'),
    attendees: attendeesIn(hosted, 'inCall'),
    formerAttendees: room
      .attendees()
      .filter((attendee) => attendee.state !== 'lobby' && attendee.state !== 'inCall')
      .map(({ id, name, state }) => ({ id, name, state })),
  };
}

function attendeesIn(hosted: HostedRoom, state: 'lobby' | 'inCall') {
  return hosted.room
    .attendees()
    .filter((attendee) => attendee.state === state)
    .map(({ id, name, deviceId, requestedAt, joinedAt, camera, microphone, videoPackets }) => ({
      id,
      name,
      deviceId,
      requestedAt,
      joinedAt,
      camera: onOrOff(camera),
      microphone: onOrOff(microphone),
      received: hosted.received.find(id)?.figures ?? null,
      sent: { videoPackets },
    }));
}

function onOrOff(state: boolean | undefined): 'on' | 'off' {
  return state === true ? 'on' : 'off';
}
