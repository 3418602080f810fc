import { z } from 'zod';
import { attendanceEnd } from './runner-report.v1.ts';
import { botId, instant, meetingPlatform, teamId } from './shapes.ts';

/** The part of a bot's configuration (specification 2.1) that a runner needs, defaults already filled in. */
export const runnerConfiguration = z.object({
  bot_name: z.string(),
  meeting_url: z.string(),
  recording_mode: z.enum(['audio_only', 'speaker_view', 'gallery_view']),
  entry_message: z.string().nullable(),
  ignored_participant_names: z.array(z.string()),
  timeout_config: z.object({
    /** All seconds. */
    waiting_room_timeout: z.int(),
    no_one_joined_timeout: z.int(),
    silence_timeout: z.int(),
    grace_period: z.int(),
    max_recording_duration: z.int().nullable(),
  }),
});
export type RunnerConfiguration = z.infer<typeof runnerConfiguration>;

/** How a browser reaches a simulator that stands in for the real site, for this bot's browser only. */
export const simulatorRoute = z.object({
  /** Chromium `--host-resolver-rules` value, e.g. `MAP meet.google.com:443 127.0.0.1:8443`. */
  hostResolverRules: z.string(),
  /** Base64 SHA-256 of the simulator certificate's public key, for `--ignore-certificate-errors-spki-list`. */
  certificateSpki: z.string(),
});

/**
 * Everything one runner gets to know, handed out once for a launch ticket by
 * `POST {scheduler}/internal/v1/launch-tickets/redeem`.
 */
export const botInvocation = z.object({
  version: z.literal(1),
  /** attend: join and record. finalize: build the artifacts of a dead attempt from its uploaded fragments. */
  mode: z.enum(['attend', 'finalize']),
  botId,
  teamId,
  attempt: z.int().positive(),
  fencing: z.int().positive(),
  configuration: runnerConfiguration,
  /** The second at which the bot must knock; until then the runner gets ready. Null: now. */
  joinAt: instant.nullable().default(null),
  meeting: z.object({ platform: meetingPlatform, joinUrl: z.url(), meetingId: z.string() }),
  /** Only with mode finalize: why the attendance ended, as the scheduler wrote it. */
  attendanceEnd: attendanceEnd.nullable(),
  bus: z.object({
    url: z.string(),
    /** NATS user credentials file text that may publish this bot's own subjects only. */
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
});
export type BotInvocation = z.infer<typeof botInvocation>;
