import { randomInt } from 'node:crypto';
import { AUDIO_POOL_SIZE } from '../media/broadcast.ts';
import type { MediaSink } from '../media/broadcast.ts';
import { openMediaConnection } from '../media/media-connection.ts';
import type { MediaConnectionOptions } from '../media/media-connection.ts';

export type AttendeeMediaOptions = Omit<
  MediaConnectionOptions,
  'audioStreamIds' | 'videoStreamIds' | 'channelLabel' | 'onChannelOpen'
> & {
  /** In the order of the room's people. */
  people: readonly { audioStreamId: string; videoStreamId: string }[];
  onCollectionsOpen: () => void;
};

/** Media as Meet sends it: a small pool of audio tracks given to whoever speaks, one video track per person. */
export type AttendeeMedia = MediaSink & {
  offerSdp: string;
  accept(answerSdp: string): Promise<void>;
  /** Sent on the `collections` channel; dropped while that is not open. */
  sendCollections(payload: Buffer): void;
  close(): Promise<void>;
};

export async function openAttendeeMedia(options: AttendeeMediaOptions): Promise<AttendeeMedia> {
  const { people, onCollectionsOpen, ...rest } = options;
  const connection = await openMediaConnection({
    ...rest,
    audioStreamIds: Array.from({ length: AUDIO_POOL_SIZE }, (_, slot) => `slot-${slot}-${randomInt(1_000_000)}`),
    videoStreamIds: people.map((person) => person.videoStreamId),
    channelLabel: 'collections',
    onChannelOpen: onCollectionsOpen,
  });
  return {
    offerSdp: connection.offerSdp,
    accept: (sdp) => connection.accept(sdp),
    sendCollections: (payload) => connection.sendOnChannel(payload),
    sendSound: (slot, personIndex, packet, packetTick) =>
      connection.sendAudio(slot, packet, packetTick, Number(people[personIndex]?.audioStreamId ?? 0)),
    sendFrame: (personIndex, frame, frameTick) => connection.sendVideo(personIndex, frame, frameTick),
    close: () => connection.close(),
  };
}
