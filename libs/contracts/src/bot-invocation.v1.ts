import { z } from 'zod';
import { loginPlatforms } from './platforms.ts';
import { pagePackOverlay } from './page-pack.v1.ts';
import { attendanceEnd } from './runner-report.v1.ts';
import { botId, instant, meetingPlatform, teamId } from './shapes.ts';

/** `streaming_config` of specification 2.1 where streaming is enabled; at least one address is set. */
export const streamingConfiguration = z.object({
  /** What is sent to `output_url`: audio, or the result of `liveTranscription`. */
  mode: z.enum(['audio', 'transcription']).default('audio'),
  input_url: z.string().nullable(),
  output_url: z.string().nullable(),
  /** Hertz. */
  audio_frequency: z.union([z.literal(16_000), z.literal(24_000), z.literal(32_000), z.literal(48_000)]),
});
export type StreamingConfiguration = z.infer<typeof streamingConfiguration>;

/** The part of a bot's configuration (specification 2.1) that a runner needs, defaults already filled in. */
export const runnerConfiguration = z.object({
  bot_name: z.string(),
  meeting_url: z.string(),
  /** W3C trace context of the request: all work for this bot belongs to its trace. */
  traceparent: z.string().max(55).optional(),
  recording_mode: z.enum(['audio_only', 'speaker_view', 'gallery_view']),
  entry_message: z.string().nullable(),
  ignored_participant_names: z.array(z.string()),
  /** Names of other bots of this service in the same meeting: they count as no participants either. */
  other_bot_names: z.array(z.string()).default([]),
  timeout_config: z.object({
    /** All seconds. */
    waiting_room_timeout: z.int(),
    no_one_joined_timeout: z.int(),
    silence_timeout: z.int(),
    grace_period: z.int(),
    max_recording_duration: z.int().nullable(),
    everyone_left_timeout: z.int().nullable().default(60),
    empty_meeting_timeout: z.int().nullable().default(1_800),
  }),
  /** In order; empty: no image. */
  bot_image: z.array(z.string()).max(5).default([]),
  bot_image_config: z
    .object({
      loop_mode: z.enum(['auto', 'bot_status']),
      /** Seconds. */
      image_duration: z.int(),
    })
    .nullable()
    .default(null),
  /** Null: the bot joins as a guest. */
  login: z
    .object({ platform: z.enum(loginPlatforms), credentialId: z.uuid() })
    .nullable()
    .default(null),
  /** The meeting's own captions are read; null: they are not turned on. */
  captions: z
    .object({
      /** Chosen by the customer; null: none is chosen. */
      language: z.string().nullable(),
    })
    .nullable()
    .default(null),
  /** Null: no streaming. */
  streaming_config: streamingConfiguration.nullable().default(null),
});
export type RunnerConfiguration = z.infer<typeof runnerConfiguration>;

/** A live speech-to-text provider for the runner. */
const liveEngine = z.object({
  provider: z.string(),
  region: z.string().nullable(),
  /** Base address; empty for the engine on the runner's own machine. */
  address: z.string(),
  /** The customer's own, or the deployment's. */
  apiKey: z.string().nullable(),
  customParams: z.record(z.string(), z.unknown()),
});
export type LiveEngine = z.infer<typeof liveEngine>;

/** With streaming mode `transcription`. */
export const liveTranscription = z.object({
  /** In order: the next one is used when the one before fails permanently. */
  engines: z.array(liveEngine).min(1),
  /** The bot's `extra`, which is returned in every message. */
  extra: z.record(z.string(), z.unknown()).nullable(),
});
export type LiveTranscription = z.infer<typeof liveTranscription>;

/** How this bot's browser reaches a simulator under the host names of the real site. */
export const simulatorRoute = z.object({
  /** Chromium `--host-resolver-rules` value, e.g. `MAP meet.google.com:443 127.0.0.1:8443`. */
  hostResolverRules: z.string(),
  /** Base64 SHA-256 of the simulator certificate's public key, for `--ignore-certificate-errors-spki-list`. */
  certificateSpki: z.string(),
});

/** The credentials with which a bot joins Zoom when it is not a guest (`alpha_config` of specification 2.1). */
export const zoomInvocation = z.object({
  /** Joins on behalf of a user; used once. */
  obfToken: z.string().nullable(),
  obfTokenUrl: z.string().nullable(),
  zakTokenUrl: z.string().nullable(),
  /**
   * A stored credential supplies signature and token: requested on `runnerSubjects.joinToken` right before each join.
   */
  storedCredential: z.boolean().default(false),
  /** The bot's `extra`, which is sent to token addresses. */
  extra: z.record(z.string(), z.unknown()).nullable(),
  /**
   * The Meeting SDK's public key and a signature for this meeting, short-lived; the key's secret stays with the
   * scheduler.
   */
  sdk: z.object({ key: z.string(), signature: z.string() }).nullable(),
});
export type ZoomInvocation = z.infer<typeof zoomInvocation>;

/** The addresses of the customer that the deployment lets a runner call, in the form of outbound-http. */
export const outboundRules = z.object({
  allow: z.array(z.string()),
  requireHttps: z.boolean(),
  /** PEM file of further certificate authorities, on the runner's machine. */
  caFile: z.string().nullable(),
  /** The way out of the runner's network, also for its browser, in the form of outbound-http. Null: directly. */
  proxy: z
    .object({ http: z.url().nullable(), https: z.url().nullable(), exceptions: z.array(z.string()).readonly() })
    .nullable()
    .default(null),
});
export type OutboundRules = z.infer<typeof outboundRules>;

/** The capture strategy of a recording's video: the cheapest that works (`auto`), or one pinned by the deployment. */
export const captureStrategy = z.enum(['auto', 'tracks', 'tab']);
export type CaptureStrategyName = z.infer<typeof captureStrategy>;

/** One size for all frames of a recording, or each as it is received. */
export const videoSize = z.enum(['fixed', 'received']);

export const onOrOff = z.enum(['on', 'off']);

/** The input of one runner, issued once for a launch ticket by `POST {scheduler}/internal/v1/launch-tickets/redeem`. */
export const botInvocation = z.object({
  version: z.literal(1),
  /** attend: join and record. finalize: build the artifacts of a failed attempt from its uploaded fragments. */
  mode: z.enum(['attend', 'finalize']),
  botId,
  teamId,
  attempt: z.int().positive(),
  fencing: z.int().positive(),
  configuration: runnerConfiguration,
  /** The second at which the bot presses the join control; until then the runner prepares. Null: now. */
  joinAt: instant.nullable().default(null),
  meeting: z.object({ platform: meetingPlatform, joinUrl: z.url(), meetingId: z.string() }),
  /** Set when an earlier run of this bot recorded and failed: this run continues that recording. */
  rejoin: z.object({ recordingSince: instant }).nullable().default(null),
  /** Why the attendance ended, as the scheduler wrote it; only with mode finalize. */
  attendanceEnd: attendanceEnd.nullable(),
  bus: z.object({
    url: z.string(),
    /** Text of a NATS credentials file that permits only this bot's own subjects. */
    credentials: z.string().nullable(),
  }),
  lease: z.object({ renewEveryMs: z.int().positive(), lostAfterMs: z.int().positive() }),
  storage: z.object({
    /** Base URL of storage-config; see internal-http.ts for the routes. */
    url: z.url(),
    /** Bearer token for this bot's own prefix and fencing number. */
    grant: z.string(),
  }),
  simulator: simulatorRoute.nullable(),
  outbound: outboundRules.default({ allow: [], requireHttps: true, caFile: null, proxy: null }),
  zoom: zoomInvocation.nullable().default(null),
  captureStrategy: captureStrategy.default('auto'),
  videoSize: videoSize.default('fixed'),
  /** Whether each participant's audio is stored separately, where the platform supports it. */
  participantAudio: onOrOff.default('off'),
  /** Null unless `streaming_config.mode` is `transcription`. */
  liveTranscription: liveTranscription.nullable().default(null),
  /** The operator's changes to the built-in page pack of the meeting's platform; null: none. */
  pagePack: pagePackOverlay.nullable().default(null),
});
export type BotInvocation = z.infer<typeof botInvocation>;
