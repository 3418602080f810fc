import { randomInt } from 'node:crypto';

/**
 * Teams has ids of a form of their own for each kind: accounts and room devices, guests without an account, personal
 * accounts (the id has the form of an address), dial-in, and other bots.
 */
export const memberKinds = ['account', 'guest', 'personal', 'phone', 'room', 'bot'] as const;
export type MemberKind = (typeof memberKinds)[number];

export type PlannedMember = {
  name: string;
  kind?: MemberKind | undefined;
  /** Index of the one whose account it belongs to. */
  deviceOf?: number | undefined;
};

/** A device in the room: a simulated participant or a browser that joined. */
export type Member = {
  deviceId: string;
  name: string;
  /** Index in the room's list of simulated participants; null for a browser. */
  participantIndex: number | null;
  isHost: boolean;
  /** Absent: an account for a simulated participant, a guest for a browser. */
  kind?: MemberKind;
  /** The device whose account this one belongs to; absent: its own. */
  accountDeviceId?: string;
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
  | { kind: 'renamed'; member: Member }
  | { kind: 'chat'; message: ChatMessage };

export type Attendee = Member & {
  id: string;
  state: AttendeeState;
  requestedAt: number;
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

  newMembers(planned: readonly PlannedMember[]): Member[] {
    const members = planned.map(({ name, kind }, index) => ({ ...this.newMember(name, index), ...(kind && { kind }) }));
    return members.map((member, index) => {
      const account = members[planned[index]?.deviceOf ?? -1];
      return account === undefined ? member : { ...member, accountDeviceId: account.deviceId };
    });
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
