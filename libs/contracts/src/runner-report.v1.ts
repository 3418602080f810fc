import { z } from 'zod';
import { integritySummary, resourceUsage } from './integrity-report.v1.ts';
import { signInCredentials, signInFailure } from './internal-http.ts';
import { matchedCandidates, pagePackVersion } from './page-pack.v1.ts';
import { degradationSteps, strategyReasons } from './recording-terms.ts';
import { artifact, botId, instant, participant } from './shapes.ts';

/** NATS subjects between one runner and bot-scheduler. A runner's bus credential permits only its own. */
export const runnerSubjects = {
  /** JetStream (stream RUNNERS): numbered reports, resent until a lease reply confirms them. */
  report: (id: string): string => `runners.v1.report.${id}`,
  /** Core NATS request/reply: renew the lease. */
  lease: (id: string): string => `bot-control.v1.lease.${id}`,
  /**
   * The same request to every instance of bot-scheduler; the first response counts. For a request that one instance did
   * not respond to: NATS keeps choosing an instance that hangs.
   */
  leaseOfAny: (id: string): string => `bot-control.v1.lease-of-any.${id}`,
  /** Core NATS request/reply: the result of a stored Zoom credential for one join of this bot. */
  joinToken: (id: string): string => `bot-control.v1.join-token.${id}`,
  /** Core NATS request/reply: the data that the bot signs in with, and a sign-in that failed. */
  signIn: (id: string): string => `bot-control.v1.sign-in.${id}`,
  /** Core NATS notification without content: renew the lease now, its state changed. */
  notification: (id: string): string => `bot-control.v1.doorbell.${id}`,
} as const;

/**
 * Core NATS notification among the instances of bot-scheduler: a bot waits for a run. The row is authoritative, and
 * each instance also finds it by itself.
 */
export const runsWantedSubject = 'runs-wanted.v1';

/** The range of the database column: a larger number would fail a whole batch of renewals. */
const storedNumber = z.int32().positive();

/**
 * Limits of the parts of a report: texts in UTF-16 units, lists in entries. The runner cuts what is longer
 * (`boundReport`) and reports how many participants it left out. A report and its final event fit a message of the bus
 * (1 MiB).
 */
export const reportLimits = {
  name: 256,
  url: 2_048,
  key: 1_024,
  message: 5_000,
  text: 20_000,
  rule: 64,
  participants: 2_000,
  artifacts: 2_020,
  strategySwitches: 200,
  bytes: 450_000,
} as const;

const base = {
  botId,
  attempt: storedNumber,
  /** The fencing number of the lease this runner holds. */
  fencing: storedNumber,
  /** From 1, without gaps, per attempt. */
  sequence: storedNumber,
  at: instant,
};

/** The fields of every report; enough to acknowledge one that is otherwise unreadable. */
export const runnerReportHeader = z.object(base);
export type RunnerReportHeader = z.infer<typeof runnerReportHeader>;

const name = z.string().max(reportLimits.name);
const key = z.string().max(reportLimits.key);
const reportedParticipant = participant.extend({
  name,
  display_name: name.optional(),
  profile_picture: z.string().max(reportLimits.url).optional(),
});
const reportedParticipants = {
  participants: z.array(reportedParticipant).max(reportLimits.participants),
  speakers: z.array(reportedParticipant).max(reportLimits.participants),
  /** How many the runner left out of each list; absent: none. The participants file is complete. */
  omitted: z.object({ participants: z.int().nonnegative(), speakers: z.int().nonnegative() }).optional(),
};
const reportedArtifact = artifact.extend({
  key,
  participant: artifact.shape.participant.unwrap().extend({ name }).optional(),
});

/** Why and how a bot stopped attending. `code` is a code of specification 7.2. */
export const attendanceEnd = z.object({
  code: z.string().max(reportLimits.name),
  message: z.string().max(reportLimits.message),
  joinedAt: instant.nullable(),
  exitedAt: instant.nullable(),
  /** True when media was recorded and a finalize step follows. */
  recorded: z.boolean(),
  evidence: z.record(z.string(), z.unknown()).optional(),
});
export type AttendanceEnd = z.infer<typeof attendanceEnd>;

/** What the page of a call let the runner read, at any time of its attendance. */
export const observedCall = z.object({
  /** Others were reported as speaking, or audio was recorded that was not silent. */
  audio: z.boolean(),
  /** The roster showed the bot under its own name. */
  ownName: z.boolean(),
  /** A participant was read, the bot or another. */
  roster: z.boolean(),
});
export type ObservedCall = z.infer<typeof observedCall>;

/** A message that a participant wrote in the meeting's chat. */
export const chatMessage = z.object({
  messageId: name,
  /** Participant id; null when the sender cannot be resolved. */
  senderId: z.int().nullable(),
  senderName: name,
  text: z.string().max(reportLimits.text),
  /** When it was written, as far as the page shows that. */
  sentAt: instant,
  /** When the bot read it. */
  at: instant,
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** The quality of a stored recording. */
const recordingQuality = integritySummary
  .partial()
  .required({ gapMs: true })
  .extend({
    /** Switches to another capture strategy, without first choices. */
    strategySwitches: z
      .array(z.object({ media: z.enum(['video', 'audio']), reason: z.enum(strategyReasons) }))
      .max(reportLimits.strategySwitches),
  });
export type RecordingQuality = z.infer<typeof recordingQuality>;

export const chatUnavailableReason = z.enum(['organizer_disabled', 'panel_not_attached', 'send_failed']);

/**
 * not_offered: the meeting has no captions for the bot. control_failed: they could not be turned on. none_received:
 * none arrived.
 */
export const captionsUnavailableReason = z.enum(['not_offered', 'control_failed', 'none_received']);
export type CaptionsUnavailableReason = z.infer<typeof captionsUnavailableReason>;

export const runnerReport = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('status'),
    code: z.enum([
      'joining_call',
      'in_waiting_room',
      'in_waiting_for_host',
      'in_call_not_recording',
      'in_call_recording',
      'recording_paused',
      'recording_resumed',
    ]),
    /** Unix seconds; with in_call_recording. */
    startTime: z.int().optional(),
    /** With joining_call. */
    pagePackVersion: pagePackVersion.optional(),
    /** With a waiting status: the bot waits on a page of which nothing is known. Absent: the page is known. */
    pageRecognised: z.literal(false).optional(),
  }),
  z.object({
    ...base,
    kind: z.literal('participants'),
    /** The complete list so far, each time. */
    ...reportedParticipants,
  }),
  z.object({
    ...base,
    kind: z.literal('attendance-ended'),
    end: attendanceEnd,
    /** The resource usage of this run until now. */
    resourceUsage: resourceUsage.optional(),
    pagePackVersion: pagePackVersion.optional(),
    /** The first match of each element in this run. */
    matchedCandidates: matchedCandidates.optional(),
    /** Before the call: the rule by which the page showed this end. Absent: the page did not show it. */
    endRule: z.string().max(reportLimits.rule).optional(),
    /** Absent: the bot was not in a call. */
    observed: observedCall.optional(),
  }),
  z.object({
    ...base,
    kind: z.literal('recording-stored'),
    artifacts: z.array(reportedArtifact).max(reportLimits.artifacts),
    durationMs: z.int().nonnegative(),
    ...reportedParticipants,
    /** The resource usage of all runs of the bot. */
    resourceUsage: resourceUsage.optional(),
    /** Losses, from the integrity report. */
    quality: recordingQuality.optional(),
  }),
  z.object({
    ...base,
    kind: z.literal('recording-lost'),
    message: z.string().max(reportLimits.message),
    /** What is kept without media: the captions. Absent: nothing. */
    artifacts: z.array(reportedArtifact).max(reportLimits.artifacts).optional(),
  }),
  /** Why the storage did not take what this run sent: the first failure, and the newest one every ten minutes at most. */
  z.object({ ...base, kind: z.literal('upload-failed'), message: z.string().max(reportLimits.message) }),
  z.object({ ...base, kind: z.literal('chat-message'), message: chatMessage }),
  /** Once, after joining: whether the bot can read and write this meeting's chat. */
  z.object({
    ...base,
    kind: z.literal('chat-status'),
    available: z.boolean(),
    reason: chatUnavailableReason.nullable(),
  }),
  /** When captions are requested: after joining, and again on a change. */
  z.object({
    ...base,
    kind: z.literal('captions-status'),
    available: z.boolean(),
    reason: captionsUnavailableReason.nullable(),
  }),
  /** What the recording gives up from now on for want of CPU; null: nothing any more. */
  z.object({ ...base, kind: z.literal('degraded'), step: z.enum(degradationSteps).nullable() }),
  /** A screenshot of the page, stored under `key`; `number` counts from 1 over the whole attempt. */
  z.object({ ...base, kind: z.literal('screenshot'), number: z.int().positive(), key, takenAt: instant }),
]);
export type RunnerReport = z.infer<typeof runnerReport>;

/** A customer's command for a bot in its meeting; sent with the lease until its result is received. */
export const runnerCommand = z.discriminatedUnion('kind', [
  z.object({ id: z.uuid(), kind: z.literal('send-chat-message'), message: z.string() }),
  /** `chatMessage` is posted in the meeting's chat first, best effort. */
  z.object({ id: z.uuid(), kind: z.literal('pause-recording'), chatMessage: z.string().nullable() }),
  z.object({ id: z.uuid(), kind: z.literal('resume-recording'), chatMessage: z.string().nullable() }),
]);
export type RunnerCommand = z.infer<typeof runnerCommand>;

export const commandResult = z.object({
  id: z.uuid(),
  /**
   * refused: the bot's state forbids it. unavailable: the meeting's chat is closed to the bot. failed: attempted
   * without success.
   */
  outcome: z.enum(['done', 'refused', 'unavailable', 'failed']),
  /** The result as a sentence that may be shown to the customer. */
  message: z.string(),
});
export type CommandResult = z.infer<typeof commandResult>;

/** Limits of what a bot shows of its meeting: lines of each list, UTF-16 units of a text, characters of an image. */
export const liveLimits = { lines: 20, text: 500, image: 200_000 } as const;

const liveText = z.string().max(liveLimits.text);
const liveLine = z.object({ name: name.nullable(), text: liveText, at: instant });

/** What a bot perceives of its meeting now. Empty while its recording is paused. */
export const liveView = z.object({
  at: instant,
  speaking: z.array(name).max(liveLimits.lines),
  /** Lines of the captions, oldest first. */
  transcript: z.array(liveLine).max(liveLimits.lines),
  chat: z.array(liveLine).max(liveLimits.lines),
  /** A JPEG in base64; null where the bot takes none. */
  screenshot: z.object({ takenAt: instant, image: z.base64().max(liveLimits.image) }).nullable(),
});
export type LiveView = z.infer<typeof liveView>;

/** Body of a notification that requests a live view. It comes with the next lease request. */
export const liveViewWanted = z.object({ live: z.literal(true) });

/** Core NATS notification among the instances of bot-scheduler: a live view that a runner sent with its lease. */
export const liveViewSubject = (id: string): string => `live-view.v1.${id}`;

export const leaseRequest = z.object({
  botId,
  attempt: storedNumber,
  fencing: storedNumber,
  /** Results of commands; each is repeated until the reply no longer contains its command. */
  results: z.array(commandResult).default([]),
  /** Once for each request of one. One of an unknown form is absent: it must not cost a runner its lease. */
  live: liveView.optional().catch(undefined),
  /** True while the run has less CPU than it needs and the machine is the reason: another run beside it would cost quality. */
  late: z.boolean().optional(),
});
export type LeaseRequest = z.infer<typeof leaseRequest>;

export const leaseReply = z.object({
  /** False: this runner is fenced off. It must leave the meeting and write nothing more. */
  held: z.boolean(),
  /** Reports up to this sequence are in the database and need not be resent. */
  appliedSequence: z.int().nonnegative(),
  /** True once a client requested that the bot leaves (API). */
  leaveRequested: z.boolean(),
  /** Commands without a result yet, oldest first. A runner executes each id once, however often it receives it. */
  commands: z.array(runnerCommand).default([]),
  /**
   * True while another run is to replace it: on SIGTERM it stays in the meeting until `replaced`, as long as its grace
   * period allows.
   */
  displaced: z.boolean().optional(),
  /** True once that run records: this one leaves, saves its data, and reports no end. */
  replaced: z.boolean().optional(),
});
export type LeaseReply = z.infer<typeof leaseReply>;

/** Gets a response only while this run holds its bot's lease. */
export const joinTokenRequest = z.object({ botId, attempt: z.int().positive(), fencing: z.int().positive() });
export type JoinTokenRequest = z.infer<typeof joinTokenRequest>;

export const joinTokenReply = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('token'),
    /** The app of the token, with its signature for this meeting. */
    sdk: z.object({ key: z.string(), signature: z.string() }),
    /** Null for a credential without a user: the signature alone opens meetings of the app's own account. */
    obfToken: z.string().nullable(),
  }),
  /** `message` states why; it may be shown to the customer. */
  z.object({ outcome: z.literal('refused'), message: z.string() }),
]);
export type JoinTokenReply = z.infer<typeof joinTokenReply>;

/** Gets a response only while this run holds its bot's lease. `failed` requests another login after a failure. */
export const signInRequest = joinTokenRequest.extend({ failed: signInFailure.nullable() });
export type SignInRequest = z.infer<typeof signInRequest>;

export const signInResponse = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('credentials'), credentials: signInCredentials }),
  /** `message` states why; it may be shown to the customer. */
  z.object({ outcome: z.literal('refused'), message: z.string() }),
]);
export type SignInResponse = z.infer<typeof signInResponse>;
