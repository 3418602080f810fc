import type { MeetingPlatform, ParticipantVideo } from '../platform.ts';
import type { HarnessRoom, HarnessSession, RoomOptions } from './harness.ts';

/** A meeting that the bot is in. */
export interface AttendedMeeting extends HarnessSession {
  readonly room: HarnessRoom;
  readonly botName: string;
}

/** One check of a bot in the call; several run at once, because they mostly wait. */
export interface MediaScenario {
  readonly name: string;
  readonly room: RoomOptions;
  /** With layers removed; omitted: the platform as it is. */
  readonly platform?: MeetingPlatform;
  /** The use of others' videos; omitted: received. */
  readonly videos?: ParticipantVideo;
  /** Only for these; omitted: for all. */
  readonly platforms?: readonly string[];
  /** Rejects with the problem. */
  check(meeting: AttendedMeeting): Promise<void>;
}
