import { randomInt } from 'node:crypto';
import { SILENT_OPUS } from '../media/ogg-opus-writer.ts';
import { AUDIO_POOL_SIZE } from '../media/broadcast.ts';
import type { MediaSink } from '../media/broadcast.ts';
import { openMediaConnection } from '../media/media-connection.ts';
import type { MediaConnectionOptions } from '../media/media-connection.ts';
import type { AudioPacket } from '../media/audio-track.ts';

export type AttendeeMediaOptions = Omit<
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
  heard: (participantIndex: number, packet: AudioPacket) => void;
  onCollectionsOpen: () => void;
};

/** Media as Meet sends it: a small pool of audio tracks assigned to speakers, one video track per participant. */
export type AttendeeMedia = MediaSink & {
  offerSdp: string;
  accept(answerSdp: string): Promise<void>;
  /** Dropped while the channel is not open. */
  send(channel: 'collections' | 'dcrpc' | 'captions', payload: Buffer): void;
  close(): Promise<void>;
};

const SILENCE: AudioPacket = { payload: SILENT_OPUS, levelDbov: 127, startsSpurt: false };

export async function openAttendeeMedia(options: AttendeeMediaOptions): Promise<AttendeeMedia> {
  const { participants, screenStreamId, sendEncoded, extraTrack, heard, onCollectionsOpen, ...rest } = options;
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
      heard(participantIndex, packet);
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
