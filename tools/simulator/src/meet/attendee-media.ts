import { randomInt } from 'node:crypto';
import { SILENT_OPUS } from '../media/ogg-opus-writer.ts';
import { AUDIO_POOL_SIZE } from '../media/broadcast.ts';
import type { MediaSink } from '../media/broadcast.ts';
import { openMediaConnection } from '../media/media-connection.ts';
import type { MediaConnectionOptions } from '../media/media-connection.ts';
import type { SoundPacket } from '../media/sound-track.ts';

export type AttendeeMediaOptions = Omit<
  MediaConnectionOptions,
  'audioStreamIds' | 'videoStreamIds' | 'channelLabel' | 'furtherChannels' | 'onChannelOpen'
> & {
  /** In the order of the room's people. */
  people: readonly { audioStreamId: string; videoStreamId: string }[];
  /** Stream id of a screen that may be shared. */
  screenStreamId: string;
  /** Null: the sound goes over tracks; else each packet goes here, and there is no track for sound. */
  sendEncoded: ((personIndex: number, packet: SoundPacket, packetTick: number) => void) | null;
  extraTrack: 'none' | 'silent' | 'muted';
  heard: (personIndex: number, packet: SoundPacket) => void;
  onCollectionsOpen: () => void;
};

/** Media as Meet sends it: a small pool of audio tracks given to whoever speaks, one video track per person. */
export type AttendeeMedia = MediaSink & {
  offerSdp: string;
  accept(answerSdp: string): Promise<void>;
  /** Dropped while the channel is not open. */
  send(channel: 'collections' | 'dcrpc' | 'captions', payload: Buffer): void;
  close(): Promise<void>;
};

const SILENCE: SoundPacket = { payload: SILENT_OPUS, levelDbov: 127, startsSpurt: false };

export async function openAttendeeMedia(options: AttendeeMediaOptions): Promise<AttendeeMedia> {
  const { people, screenStreamId, sendEncoded, extraTrack, heard, onCollectionsOpen, ...rest } = options;
  const poolSize = sendEncoded === null ? AUDIO_POOL_SIZE : 0;
  const trackCount = poolSize === 0 || extraTrack === 'none' ? poolSize : poolSize + 1;
  const connection = await openMediaConnection({
    ...rest,
    audioStreamIds: Array.from({ length: trackCount }, (_, slot) => `slot-${slot}-${randomInt(1_000_000)}`),
    videoStreamIds: [...people.map((person) => person.videoStreamId), screenStreamId],
    channelLabel: 'collections',
    furtherChannels: ['dcrpc'],
    onChannelOpen: onCollectionsOpen,
  });
  let silentTick = -1;
  return {
    offerSdp: connection.offerSdp,
    accept: (sdp) => connection.accept(sdp),
    send: (channel, payload) => connection.sendOnChannel(payload, channel),
    sendSound: (slot, personIndex, packet, packetTick) => {
      heard(personIndex, packet);
      if (sendEncoded !== null) return sendEncoded(personIndex, packet, packetTick);
      connection.sendAudio(slot, packet, packetTick, Number(people[personIndex]?.audioStreamId ?? 0));
      // Silence needs no clock of its own: it is sent whenever somebody is heard.
      if (extraTrack === 'silent' && packetTick > silentTick) connection.sendAudio(poolSize, SILENCE, packetTick);
      silentTick = Math.max(silentTick, packetTick);
    },
    sendFrame: (personIndex, frame, frameTick) => connection.sendVideo(personIndex, frame, frameTick),
    sendScreenFrame: (frame, frameTick) => connection.sendVideo(people.length, frame, frameTick),
    onKeyFrameWanted: (wanted) => connection.onKeyFrameWanted((track) => wanted(track < people.length ? track : null)),
    close: () => connection.close(),
  };
}
