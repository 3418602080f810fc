import type { MeetingPlatform, MeetingVisit, VisitSignal } from '../platform.ts';

/** Room settings in words that every platform's simulator understands. */
export interface RoomWishes {
  readonly people?: number;
  readonly lobby?: 'admit' | 'wait' | 'refuse';
  /** The platform gives up on a waiting guest after this time. */
  readonly lobbyTimeoutMs?: number;
  /** What else this platform's simulator can vary. */
  readonly variant?: Readonly<Record<string, unknown>>;
}

export interface ScheduledSpeech {
  readonly name: string;
  /** Ms in the loop. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface RoomLogEntry {
  readonly kind: string;
  readonly who: string | null;
  readonly text?: string;
}

/** A simulated meeting, from its host's side. */
export interface HarnessRoom {
  readonly joinUrl: string;
  readonly peopleNames: readonly string[];
  readonly schedule: readonly ScheduledSpeech[];
  readonly loopMs: number;
  /** Epoch ms at which the loop began first. */
  readonly clockZeroMs: number;
  admit(): Promise<void>;
  remove(name: string): Promise<void>;
  endForEveryone(): Promise<void>;
  personLeaves(index: number): Promise<void>;
  say(from: string, text: string): Promise<void>;
  log(): Promise<readonly RoomLogEntry[]>;
}

/** One platform with its simulator; each platform's folder brings one to the conformance suite. */
export interface PlatformHarness {
  readonly platform: MeetingPlatform;
  openRoom(wishes: RoomWishes): Promise<HarnessRoom>;
  /** An address of the right form that leads to no meeting. */
  readonly unknownMeetingUrl: string;
  /** Visits the address with a fresh browser page. */
  visit(platform?: MeetingPlatform): Promise<{ visit: MeetingVisit; signals: readonly VisitSignal[] }>;
}
