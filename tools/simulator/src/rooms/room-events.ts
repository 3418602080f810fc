import * as z from 'zod';
import { videoSizes, videoCodecs } from '../media/video-loop.ts';
import type { VideoSize } from '../media/video-loop.ts';
import type { Room } from './room.ts';

const participant = z.int().min(0).max(15);

/** What participants and hosts do by themselves at a given time. */
export const roomEventSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('admit') }),
  z.strictObject({ do: z.literal('refuse') }),
  z.strictObject({ do: z.literal('remove-guests') }),
  z.strictObject({ do: z.literal('participant-leaves'), participant }),
  z.strictObject({ do: z.literal('participant-joins'), participant }),
  /** The participant's id stays: a rename, or another person at the device. */
  z.strictObject({ do: z.literal('rename'), participant, name: z.string().trim().min(1).max(60) }),
  z.strictObject({ do: z.literal('chat'), participant, text: z.string().min(1).max(500) }),
  z.strictObject({ do: z.literal('share-screen'), participant }),
  z.strictObject({ do: z.literal('stop-sharing') }),
  /** Changes the encoding of a participant's video; without a participant, of all. */
  z.strictObject({
    do: z.literal('change-video'),
    participant: participant.optional(),
    codec: z.enum(videoCodecs).optional(),
    size: z.enum(Object.keys(videoSizes) as [VideoSize, ...VideoSize[]]).optional(),
  }),
]);

export type RoomEvent = z.infer<typeof roomEventSchema>;

/** False when it could not be done, e.g. because that participant has left. */
export function happen(room: Room, event: RoomEvent): boolean {
  const deviceOf = (index: number): string => room.participants()[index]?.member.deviceId ?? '';
  switch (event.do) {
    case 'admit':
      return room.admit() > 0;
    case 'refuse':
      return room.refuse() > 0;
    case 'remove-guests':
      return room.removeGuests() > 0;
    case 'participant-leaves':
      return room.participantLeaves(event.participant);
    case 'participant-joins':
      return room.participantJoins(event.participant);
    case 'rename':
      return room.renameParticipant(event.participant, event.name);
    case 'chat':
      return room.chat(deviceOf(event.participant), event.text) !== null;
    case 'share-screen':
      return room.shareScreen(event.participant);
    case 'stop-sharing':
      return room.stopSharing();
    case 'change-video':
      return room.changeVideo(event.participant ?? null, event);
  }
}
