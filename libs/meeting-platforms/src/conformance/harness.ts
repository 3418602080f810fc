import type {
  MeetingPlatform,
  MeetingSession,
  ParticipantVideo,
  OutgoingDevices,
  SpeakerSource,
  SessionSignal,
} from '../platform.ts';

/** Room settings common to the simulators of all platforms. */
export interface RoomOptions {
  readonly participants?: number;
  readonly lobby?: 'admit' | 'wait' | 'refuse';
  /** Time after which the platform rejects a waiting guest. */
  readonly lobbyTimeoutMs?: number;
  /** Further variants of this platform's simulator. */
  readonly variant?: Readonly<Record<string, unknown>>;
}

export interface ScheduledSpeech {
  readonly name: string;
  /** Ms in the loop. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface RoomLogEntry {
  /** Epoch ms. */
  readonly at: number;
  readonly kind: string;
  readonly who: string | null;
  readonly text?: string;
}

/** A simulated meeting, from its host's side. */
export interface HarnessRoom {
  readonly joinUrl: string;
  /** The link that users paste: another address than `joinUrl` on some platforms. */
  readonly invitation: string;
  readonly participantNames: readonly string[];
  readonly schedule: readonly ScheduledSpeech[];
  readonly loopMs: number;
  /** Epoch ms at which the loop began first. */
  readonly clockZeroMs: number;
  admit(): Promise<void>;
  remove(name: string): Promise<void>;
  endForEveryone(): Promise<void>;
  participantLeaves(index: number): Promise<void>;
  say(from: string, text: string): Promise<void>;
  /** Participants do one of the simulator's events now. */
  happen(event: { readonly do: string } & Readonly<Record<string, unknown>>): Promise<void>;
  /** Injects one of the simulator's faults now. */
  strike(fault: { readonly kind: string } & Readonly<Record<string, unknown>>): Promise<void>;
  log(): Promise<readonly RoomLogEntry[]>;
  /** The last media sent by the browser of this name: the newest frame as PNG, the audio as WAV; null: none yet. */
  received(name: string): Promise<{ readonly video: Buffer | null; readonly audio: Buffer | null }>;
  /** Whether the devices of this browser are on, as the other participants see it. */
  devicesOf(name: string): Promise<OutgoingDevices | null>;
  /** Number of packets of others' videos sent to this browser in the call; null: not in the call. */
  videoPacketsTo(name: string): Promise<number | null>;
  /** Ends and deletes the meeting. */
  close(): Promise<void>;
}

export interface OfferedMedia {
  readonly audioTracks: number;
  /** Loudest sample, 0..1. */
  readonly peak: number;
  readonly shown: 'camera' | 'screen' | null;
}

/** A tile that the page offers for a gallery. */
export interface OfferedTile {
  readonly kind: 'camera' | 'screen';
  readonly name: string | null;
  /** A frame arrives, whole and not yet ended. */
  readonly hasVideo: boolean;
  readonly speaking: boolean;
}

/** A bot in a browser page of its own. */
export interface HarnessSession {
  readonly session: MeetingSession;
  readonly signals: readonly SessionSignal[];
  /** The media that the page offers to the recorder. Polls for at most `listenMs`, or until audio is received. */
  media(listenMs: number): Promise<OfferedMedia>;
  tiles(): Promise<readonly OfferedTile[]>;
  /**
   * Takes a screenshot and counts the coloured ones of its 32 by 18 parts. Simulated pages are grey, their participants
   * are not.
   */
  colouredParts(): Promise<number>;
  /** Crashes the page's process over CDP. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** One platform with its simulator; each platform's folder brings one to the conformance suite. */
export interface PlatformHarness {
  readonly platform: MeetingPlatform;
  /** The most reliable speech layer while all of them work. */
  readonly bestSource: SpeakerSource;
  openRoom(options: RoomOptions): Promise<HarnessRoom>;
  /** A well-formed address without a meeting. */
  readonly unknownMeetingUrl: string;
  /** The platform with other credentials, where it uses any. */
  bringing?(what: string): MeetingPlatform;
  /** Opens the address with a fresh browser page, which paints no videos once the bot is in the call. */
  session(platform?: MeetingPlatform, devices?: OutgoingDevices, videos?: ParticipantVideo): Promise<HarnessSession>;
}
