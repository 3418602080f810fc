import { randomInt } from 'node:crypto';

/** A device in the room: a simulated participant or a browser that joined. */
export type Member = {
  deviceId: string;
  name: string;
  /** Index in the room's list of simulated participants; null for a browser. */
  participantIndex: number | null;
  isHost: boolean;
  audioStreamId: string;
  videoStreamId: string;
  /** Set on a shared screen: the device of the participant who shares it. */
  parentDeviceId?: string;
  /** Whether they are on; absent for simulated participants with both. */
  camera?: boolean;
  microphone?: boolean;
};

export type AttendeeState = 'lobby' | 'inCall' | 'refused' | 'noResponse' | 'left' | 'removed' | 'ended';

export type ChatMessage = { messageId: string; deviceId: string; senderName: string; sentAtMs: number; text: string };

/** The events that a room sends to each browser, in order. */
export type AttendeeEvent =
  | { kind: 'admitted' }
  | { kind: 'refused' }
  | { kind: 'noResponse' }
  | { kind: 'removed' }
  | { kind: 'meetingEnded' }
  | { kind: 'memberChanged'; member: Member; status: 'inCall' | 'left' | 'removed' }
  | { kind: 'devicesChanged'; member: Member }
  | { kind: 'chat'; message: ChatMessage };

export type Attendee = Member & {
  id: string;
  state: AttendeeState;
  knockedAt: number;
  joinedAt: number | null;
  /** Packets of others' frames that were sent to it, over all its connections. */
  videoPackets: number;
};

const FIRST_STREAM_ID = 100_000;
const LAST_STREAM_ID = 2_000_000_000;

/** Gives device and stream ids that are unique in the room; stream ids are decimal and fit the 32 bits of a CSRC. */
export class MemberNumbers {
  readonly #space: string;
  #nextDevice = randomInt(100, 300);
  #nextStream = randomInt(FIRST_STREAM_ID, LAST_STREAM_ID);

  constructor(space: string) {
    this.#space = space;
  }

  newMember(name: string, participantIndex: number | null): Member {
    this.#nextDevice += 1;
    this.#nextStream += 2;
    return {
      deviceId: `spaces/${this.#space}/devices/${this.#nextDevice}`,
      name,
      participantIndex,
      isHost: participantIndex === 0,
      audioStreamId: String(this.#nextStream),
      videoStreamId: String(this.#nextStream + 1),
    };
  }
}
