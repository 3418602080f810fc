import { randomInt } from 'node:crypto';
import type { Member } from '../rooms/members.ts';
import type { MemberStatus } from '../sites/page-messages.ts';
import type { ClientCall, ClientCallDependencies, ClientDialect } from '../sites/client-session.ts';
import { CaptionFeed } from '../captions/caption-feed.ts';
import { shownToPages } from '../captions/caption-options.ts';
import { mediaMessage } from '../media/media-message.ts';
import { SpeechActivity } from '../media/speech-activity.ts';
import type { AudioPacket } from '../media/audio-track.ts';
import type { HostedRoom } from '../rooms/room-registry.ts';
import { SILENT_OPUS } from '../media/ogg-opus-writer.ts';
import { AUDIO_POOL_SIZE } from '../media/broadcast.ts';
import type { MediaSink } from '../media/broadcast.ts';
import { openMediaConnection } from '../media/media-connection.ts';
import type { MediaConnectionOptions } from '../media/media-connection.ts';
import { encodeCollectionEvent } from './collections.ts';
import type { OutputRecord, UserRecord } from './collections.ts';
import { captionFrame, keepAliveFrame, speechFrame } from './speech-frames.ts';

type AttendeeMediaOptions = Omit<
  MediaConnectionOptions,
  'audioStreamIds' | 'videoStreamIds' | 'channelLabel' | 'furtherChannels' | 'onChannelOpen'
> & {
  /** In the order of the room's participants. */
  participants: readonly { audioStreamId: string; videoStreamId: string }[];
  /** Stream id of a screen that may be shared. */
  screenStreamId: string;
  /** Null: the audio goes over tracks; else each packet goes here, and there is no track for audio. */
  sendEncoded: ((participantIndex: number, packet: AudioPacket, packetTick: number) => void) | null;
  extraTrack: 'none' | 'silent' | 'muted';
  onAudio: (participantIndex: number, packet: AudioPacket) => void;
  onCollectionsOpen: () => void;
};

/** Media as Meet sends it: a small pool of audio tracks assigned to speakers, one video track per participant. */
type AttendeeMedia = MediaSink & {
  offerSdp: string;
  accept(answerSdp: string): Promise<void>;
  /** Dropped while the channel is not open. */
  send(channel: 'collections' | 'dcrpc' | 'captions', payload: Buffer): void;
  close(): Promise<void>;
};

const SILENCE: AudioPacket = { payload: SILENT_OPUS, levelDbov: 127, startsSpurt: false };

async function openAttendeeMedia(options: AttendeeMediaOptions): Promise<AttendeeMedia> {
  const { participants, screenStreamId, sendEncoded, extraTrack, onAudio, onCollectionsOpen, ...rest } = options;
  const poolSize = sendEncoded === null ? AUDIO_POOL_SIZE : 0;
  const trackCount = poolSize === 0 || extraTrack === 'none' ? poolSize : poolSize + 1;
  const connection = await openMediaConnection({
    ...rest,
    audioStreamIds: Array.from({ length: trackCount }, (_, slot) => `slot-${slot}-${randomInt(1_000_000)}`),
    videoStreamIds: [...participants.map((participant) => participant.videoStreamId), screenStreamId],
    channelLabel: 'collections',
    furtherChannels: ['dcrpc'],
    onChannelOpen: onCollectionsOpen,
  });
  let silentTick = -1;
  return {
    offerSdp: connection.offerSdp,
    accept: (sdp) => connection.accept(sdp),
    send: (channel, payload) => connection.sendOnChannel(payload, channel),
    sendAudio: (slot, participantIndex, packet, packetTick) => {
      onAudio(participantIndex, packet);
      if (sendEncoded !== null) return sendEncoded(participantIndex, packet, packetTick);
      connection.sendAudio(slot, packet, packetTick, Number(participants[participantIndex]?.audioStreamId ?? 0));
      // Silence has no timer of its own: it is sent with the audio of speakers.
      if (extraTrack === 'silent' && packetTick > silentTick) connection.sendAudio(poolSize, SILENCE, packetTick);
      silentTick = Math.max(silentTick, packetTick);
    },
    sendFrame: (participantIndex, frame, frameTick) => connection.sendVideo(participantIndex, frame, frameTick),
    sendScreenFrame: (frame, frameTick) => connection.sendVideo(participants.length, frame, frameTick),
    onKeyFrameWanted: (wanted) =>
      connection.onKeyFrameWanted((track) => wanted(track < participants.length ? track : null)),
    close: () => connection.close(),
  };
}

const POLL_INTERVAL_MS = 100;
const REPEAT_EVERY_POLLS = 10;
const KEEP_ALIVE_EVERY_POLLS = 50;

type SpeechChannels = {
  send: (channel: 'dcrpc', payload: Buffer) => void;
  now: () => number;
};

/** Reports the speakers to one browser on `dcrpc`. */
class SpeechSignals {
  readonly #hosted: HostedRoom;
  readonly #channels: SpeechChannels;
  readonly #speechActivity = new SpeechActivity();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #reported = '';

  constructor(hosted: HostedRoom, channels: SpeechChannels) {
    this.#hosted = hosted;
    this.#channels = channels;
  }

  start(): void {
    this.#timer = setInterval(() => this.#poll(), POLL_INTERVAL_MS);
  }

  receiveAudio(participantIndex: number, packet: AudioPacket): void {
    this.#speechActivity.add(participantIndex, packet.levelDbov, this.#channels.now());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #poll(): void {
    const { room } = this.#hosted;
    this.#polls += 1;
    const participants = room.participants();
    const speaking = new Set(
      this.#speechActivity
        .speaking(this.#channels.now())
        .flatMap((index) => participants[index]?.member.deviceId ?? []),
    );
    const state = [...speaking].toSorted().join();
    if (state !== this.#reported || this.#polls % REPEAT_EVERY_POLLS === 0) {
      this.#channels.send('dcrpc', speechFrame(room.membersInCall(), speaking, this.#polls));
    }
    this.#reported = state;
    if (this.#polls % KEEP_ALIVE_EVERY_POLLS === 0) this.#channels.send('dcrpc', keepAliveFrame(this.#polls));
  }
}

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
    onAudio: (participantIndex, packet) => signals.receiveAudio(participantIndex, packet),
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
