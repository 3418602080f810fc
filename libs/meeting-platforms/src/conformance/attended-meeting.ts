import type { MeetingPlatform, ParticipantVideo } from '../platform.ts';
import type { HarnessRoom, HarnessSession, RoomWishes } from './harness.ts';

/** A meeting that the bot is in. */
export interface AttendedMeeting extends HarnessSession {
  readonly room: HarnessRoom;
  readonly botName: string;
}

/** What a bot in the call must offer, notice or do; several run at once, because most of it is waiting. */
export interface MediaScenario {
  readonly name: string;
  readonly room: RoomWishes;
  /** With layers taken away; the platform as it is when left out. */
  readonly platform?: MeetingPlatform;
  /** What others' videos are for; wanted when left out. */
  readonly videos?: ParticipantVideo;
  /** Only for these; left out: for all. */
  readonly platforms?: readonly string[];
  /** Rejects with what is wrong. */
  check(meeting: AttendedMeeting): Promise<void>;
}
