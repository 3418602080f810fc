import * as z from 'zod';
import { pictureSizes, videoCodecs } from '../media/picture-loop.ts';
import type { PictureSize } from '../media/picture-loop.ts';
import type { Room } from './room.ts';

const person = z.int().min(0).max(15);

/** What people and hosts do by themselves at a given time. */
export const roomEventSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('admit') }),
  z.strictObject({ do: z.literal('refuse') }),
  z.strictObject({ do: z.literal('remove-guests') }),
  z.strictObject({ do: z.literal('person-leaves'), person }),
  z.strictObject({ do: z.literal('person-joins'), person }),
  z.strictObject({ do: z.literal('chat'), person, text: z.string().min(1).max(500) }),
  z.strictObject({ do: z.literal('share-screen'), person }),
  z.strictObject({ do: z.literal('stop-sharing') }),
  /** Somebody's picture is sent in another way; without a person everybody's. */
  z.strictObject({
    do: z.literal('change-picture'),
    person: person.optional(),
    codec: z.enum(videoCodecs).optional(),
    size: z.enum(Object.keys(pictureSizes) as [PictureSize, ...PictureSize[]]).optional(),
  }),
]);

export type RoomEvent = z.infer<typeof roomEventSchema>;

/** False when it could not be done, e.g. because that person has left. */
export function happen(room: Room, event: RoomEvent): boolean {
  const deviceOf = (index: number): string => room.people()[index]?.member.deviceId ?? '';
  switch (event.do) {
    case 'admit':
      return room.admit() > 0;
    case 'refuse':
      return room.refuse() > 0;
    case 'remove-guests':
      return room.removeGuests() > 0;
    case 'person-leaves':
      return room.personLeaves(event.person);
    case 'person-joins':
      return room.personJoins(event.person);
    case 'chat':
      return room.chat(deviceOf(event.person), event.text) !== null;
    case 'share-screen':
      return room.shareScreen(event.person);
    case 'stop-sharing':
      return room.stopSharing();
    case 'change-picture':
      return room.changePicture(event.person ?? null, event);
  }
}
