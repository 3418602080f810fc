import type { MatchedCandidates, MeetingPlatformName, RefusalCause } from '@rapporteur/contracts';
import type { Page } from 'playwright-core';
import type { PageMarkup } from './page-markup.page.ts';

/** A meeting service's web client: join, receive media, chat, leave. One folder of this library each. */
export interface MeetingPlatform {
  readonly name: MeetingPlatformName;
  /** Loads the scripts for `prepare` in advance, e.g. while the browser starts. */
  preload?(): void;
  /**
   * Installs scripts and listeners into a page that has not been opened yet. Sends nothing. The session ends with
   * `stop()`; one page serves one session. `devices`: camera and microphone of the bot; omitted: none. `videos`: the
   * use of others' videos; omitted: they are received.
   */
  prepare(
    page: Page,
    ports: SessionPorts,
    devices?: OutgoingDevices,
    videos?: ParticipantVideo,
  ): Promise<MeetingSession>;
}

/**
 * unused: not recorded; the page's own control stops them, where it has one. refused: not even sent to the bot, where the
 * platform's page receives them by a connection that can state it.
 */
export type ParticipantVideo = 'wanted' | 'unused' | 'refused';

/** The devices that the bot has. */
export interface OutgoingDevices {
  readonly camera: boolean;
  readonly microphone: boolean;
}

/** An image file. */
export interface BotImage {
  readonly bytes: Buffer;
  /** `image/jpeg`, `image/png` or `image/webp`. */
  readonly contentType: string;
}

/** The external dependencies of a session. */
export interface SessionPorts {
  readonly clock: SessionClock;
  readonly log: SessionLog;
}

export interface SessionClock {
  /** Epoch milliseconds, which corrections of the machine's time do not change. The page's scripts share it. */
  now(): number;
  /** Rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface SessionLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface JoinOptions {
  /** The canonical address of the meeting, from libs/meeting-links. */
  readonly joinUrl: string;
  /** Shown to the participants in the meeting; cut to the platform's maximum length. */
  readonly botName: string;
  /**
   * Epoch milliseconds: the page is opened and prepared at once, but the bot requests admission at this time, never
   * earlier. Null or omitted: as soon as possible.
   */
  readonly requestAtMs?: number | null;
  /** The bot signed in before: a page that asks it for a name has lost the login. Omitted: it joins as a guest. */
  readonly signedIn?: boolean;
}

/** The state of a session, as far as the page shows it. From the call, it may go back to waiting. */
export type SessionState =
  | 'joining'
  | 'waiting-for-host'
  /** The authorized user of the bot is not in the meeting yet. */
  | 'waiting-for-authorized-user'
  | 'waiting-room'
  | 'in-call'
  | 'over';

/** Reason why a session ended or never began, the same for every platform. */
export type SessionEndReason =
  /** The host denied the request to join. */
  | 'denied'
  /** The platform gave up because the request got no response. */
  | 'no-response'
  /** The platform itself refused this guest. */
  | 'blocked'
  /** The meeting does not admit this guest; the cause says why. */
  | 'refused'
  | 'not-found'
  /** The meeting requires a passcode, and the one in the link is wrong or missing. */
  | 'passcode-wrong'
  | 'login-required'
  /** A challenge for humans was shown. It is never solved. */
  | 'captcha'
  /** The app may not join meetings of others' accounts. */
  | 'external-meeting-forbidden'
  /** The platform did not accept the app itself: its key or its signature. */
  | 'sdk-auth-failed'
  | 'obf-token-refused'
  | 'access-token-refused'
  /** The authorized user of the bot has left the meeting. */
  | 'authorized-user-left'
  /** The host does not allow the bot to record. */
  | 'recording-right-refused'
  /** No participant can grant the right to record. */
  | 'recording-right-unavailable'
  /** The host's client has no control to allow it. */
  | 'recording-right-not-shown'
  /** The bot may record, but the meeting never showed that it is recorded. */
  | 'recording-not-started'
  | 'removed'
  | 'ended-by-host'
  /** The bot left by itself. */
  | 'left'
  /** The page did not load, did not respond or showed no known state until the deadline. */
  | 'page-unusable'
  /** The client reported that it lost its connection to the meeting, and did not get it back until the deadline. */
  | 'connection-lost'
  | 'page-crashed';

export interface SessionEnd {
  readonly reason: SessionEndReason;
  /** The rule of the page reading that matched, for the evidence. */
  readonly rule: string;
  readonly atMs: number;
  /** Why the page kept the bot out, as far as it says. */
  readonly cause?: RefusalCause;
  /** The page's own sentence about it, without names. */
  readonly said?: string;
}

export type JoinOutcome =
  | { readonly joined: true; readonly rule: string; readonly atMs: number }
  | { readonly joined: false; readonly end: SessionEnd };

export interface MeetingParticipant {
  /** The platform's own id of this presence; a participant who rejoins gets a new one on most platforms. */
  readonly id: string;
  /** Null until a layer reports it. */
  readonly name: string | null;
  readonly avatarUrl: string | null;
  readonly isSelf: boolean;
  readonly isHost: boolean;
  readonly present: boolean;
  readonly appearedAtMs: number;
  readonly leftAtMs: number | null;
}

/** The layer of the page that reported the speaker. */
export type SpeakerSource = 'contributing-sources' | 'dcrpc' | 'levels' | 'active-speaker' | 'tiles' | 'mixed-audio';

/** One continuous speech of a participant. */
export interface SpeakerTurn {
  /** Unique within the session. */
  readonly turnId: number;
  /** Null when the layer that detected the speech can't attribute it. */
  readonly participantId: string | null;
  readonly name: string | null;
  readonly startMs: number;
  /** Null while the turn is open. */
  readonly endMs: number | null;
  readonly source: SpeakerSource;
  /** Reliability of the layer, 0..1. */
  readonly confidence: number;
}

export interface ChatMessage {
  readonly id: string;
  /** Null when the sender's id is unknown. */
  readonly senderId: string | null;
  readonly senderName: string;
  readonly text: string;
  readonly sentAtMs: number;
  /** True for messages of this bot. */
  readonly own: boolean;
}

/** One version of a caption of the meeting. A later version with the same key replaces the text. */
export interface CaptionVersion {
  /** Names the utterance within the meeting. */
  readonly key: string;
  /** The platform's own id; null where the captions name no known participant. */
  readonly participantId: string | null;
  readonly name: string | null;
  /** The whole utterance so far. */
  readonly text: string;
  /** The platform marks the version as final; another version may follow nevertheless. */
  readonly isFinal: boolean;
  /** As named by the platform; null where it has none. */
  readonly language: string | null;
  /** Time of arrival. */
  readonly atMs: number;
}

export interface CaptionOptions {
  /**
   * `en`, `de-DE` or `auto`; null: the language of the page. The platform defines whether it is the viewer's or the
   * meeting's.
   */
  readonly language: string | null;
}

/**
 * not_offered: the page has no control for captions. control_failed: it has one, and pressing it did not turn them on.
 * none_received: they are on, participants spoke, and no caption came.
 */
export type CaptionsRefusal = 'not_offered' | 'control_failed' | 'none_received';

export type CaptionsAccess =
  /** `language`: the one that was chosen, as the platform names it; null: it is the page's own, or could not be chosen. */
  | { readonly on: true; readonly language: string | null }
  /** `mayCome`: the missing control may appear later. */
  | { readonly on: false; readonly reason: CaptionsRefusal; readonly what: string; readonly mayCome?: true };

/** The signals of a running session. Every time is epoch milliseconds. */
export type SessionSignal =
  | { readonly kind: 'state'; readonly state: SessionState; readonly atMs: number }
  | { readonly kind: 'step'; readonly step: string; readonly atMs: number }
  | {
      readonly kind: 'participant';
      readonly change: 'appeared' | 'changed' | 'left';
      readonly participant: MeetingParticipant;
      readonly atMs: number;
    }
  | {
      readonly kind: 'speaker';
      readonly change: 'started' | 'stopped';
      readonly turn: SpeakerTurn;
      readonly atMs: number;
    }
  | { readonly kind: 'chat'; readonly message: ChatMessage; readonly atMs: number }
  | { readonly kind: 'caption'; readonly caption: CaptionVersion }
  /** The call is over for this bot, after a successful join. Emitted once. */
  | { readonly kind: 'ended'; readonly end: SessionEnd };

/** Reason why nothing was written; those of the specification's chat-status payload (part 6). */
export interface ChatRefusal {
  readonly reason: 'organizer_disabled' | 'panel_not_attached' | 'send_failed';
  readonly what: string;
  /** Nothing was written; the missing control may appear later. */
  readonly mayCome?: true;
}

export type ChatDelivery = { readonly sent: true } | ({ readonly sent: false } & ChatRefusal);
export type ChatAccess = { readonly open: true } | ({ readonly open: false } & ChatRefusal);

/** Whether the session still functions, for a watchdog. */
export interface SessionHealth {
  /** When the page last responded to a read, epoch ms. */
  readonly pageRespondedAtMs: number | null;
  /** When the page last showed or sent a participant, epoch ms. */
  readonly rosterReadAtMs: number | null;
  /** When a participant's speech was last received, epoch ms; null until the first. */
  readonly speechAtMs: number | null;
  /**
   * Time of the last speech that a reliable layer attributes to another participant: the recording must contain it.
   * Null until the first.
   */
  readonly certainSpeechAtMs: number | null;
  /** Beginning of a call that refuses videos and never connected; null: none. */
  readonly refusalIneffectiveSinceMs?: number | null;
  /** Since when the page reports that its connection to the meeting is lost, epoch ms; null: it does not. */
  readonly connectionLostSinceMs?: number | null;
}

/** The session's page pack and its matches. */
export interface PagePackUse {
  /** Version of the page pack, e.g. `2026-11-26.1+ask-to-enter`. */
  readonly pagePackVersion: string;
  /** For each element that was found, the place of its first match among its candidates. */
  readonly matchedCandidates: MatchedCandidates;
  /** Name of the rule that read the page last; null: none did. */
  readonly rule: string | null;
  /** The page's own sentence that this rule read, without names; null: none. */
  readonly said: string | null;
}

export interface SessionEvidence extends PagePackUse {
  readonly screenshotPng: Buffer | null;
  /**
   * Structure of a page through which the bot did not get into the call, without what participants wrote;
   * null: the bot was in the call, or the page did not deliver it.
   */
  readonly pageMarkup: PageMarkup | null;
  readonly title: string | null;
  readonly host: string | null;
  readonly state: SessionState;
  readonly steps: readonly { readonly step: string; readonly atMs: number }[];
  /** The last lines the page wrote to its console, without addresses' queries. */
  readonly consoleTail: readonly string[];
}

export interface MeetingSession {
  /**
   * Opens the link, requests admission and waits. Resolves once the bot is in the call or the join has failed; rejects
   * only with the signal's reason. Waiting for admission has no deadline here: abort the signal.
   */
  join(options: JoinOptions, signal: AbortSignal): Promise<JoinOutcome>;
  /**
   * In the call, before anything is recorded: requests the right to record where the platform requires it, and resolves
   * once it is granted. Without it the session ends by itself; then, or with the signal, this rejects.
   */
  mayRecord?(signal: AbortSignal): Promise<void>;
  /** Returns a function that removes the listener. A listener that throws is logged and stays registered. */
  onSignal(listener: (signal: SessionSignal) => void): () => void;
  /** All participants so far, including the bot, in order of appearance. */
  participants(): readonly MeetingParticipant[];
  /** The other participants' open turns. */
  speaking(): readonly SpeakerTurn[];
  health(): SessionHealth;
  /**
   * Writes into the meeting's chat, in parts where the platform limits the length. Sent means that the page shows every
   * part as the bot's own. After the signal nothing more is written. Without a signal it takes at most 20 s.
   */
  sendChat(text: string, signal?: AbortSignal): Promise<ChatDelivery>;
  /** Whether the bot can write in the chat: opens the panel and closes it again. */
  checkChat(signal?: AbortSignal): Promise<ChatAccess>;
  /**
   * Turns on the meeting's own captions for the bot and hides them in the page; from then on they arrive as signals.
   * Never throws; without a signal it takes at most 30 s.
   */
  openCaptions(options: CaptionOptions, signal?: AbortSignal): Promise<CaptionsAccess>;
  /** A JPEG of what the page shows, at most 1280 wide; null when there is none. Never throws, takes at most 4 s. */
  screenshot(quality: number): Promise<Buffer | null>;
  /**
   * Whether the page paints its videos and endless animations, as it does initially. What its scripts and ours read
   * stays the same; `screenshot` and `evidence` show it painted nevertheless. Never throws.
   */
  paint(wanted: boolean): Promise<void>;
  /**
   * Whether the videos of others are received, as they are initially: by the page's own control, where it has one. The
   * last call counts. Never throws, takes at most 20 s.
   */
  receiveVideo(wanted: boolean): Promise<void>;
  /**
   * The image of the bot's camera from now on, also after a reload of the page; null: a plain background. Resolves once
   * the image is shown; false without a camera, or when the page can't decode it (then the image before stays). Never
   * throws.
   */
  showImage(image: BotImage | null): Promise<boolean>;
  /**
   * Appends audio, 16 bit little-endian mono, to the playback queue. The queue holds at most 30 s; the excess is
   * dropped and counted in the log. Without a microphone it is a no-op.
   */
  playAudio(pcm: Buffer, rateHz: number): void;
  /** Discards the queued audio. */
  clearAudio(): void;
  /** Milliseconds of `playAudio` that are finished since the beginning: played, dropped or cleared. */
  finishedAudioMs(): number;
  /** Leaves as a participant does. Never throws, takes at most 5 s, may be called again. */
  leave(): Promise<void>;
  /** The page pack in use, and how its candidates matched until now. */
  pagePackUse(): PagePackUse;
  /** Never throws, takes at most 5 s. */
  evidence(): Promise<SessionEvidence>;
  /** Stops all polling. Closes nothing: the page belongs to the caller. */
  stop(): void;
}
