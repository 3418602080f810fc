import { onOrOff, pictureSize } from '@rapporteur/contracts';
import { z } from 'zod';
import {
  busConfig,
  databaseConfig,
  durationMs,
  flag,
  httpConfig,
  integer,
  internalAuthConfig,
  secret,
  textList,
  withDefault,
} from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import { noWayPinned, recordingWays } from './launch/recording-way.ts';
import type { SdkCredentials } from './launch/sdk-signature.ts';

/** Every setting of bot-scheduler; `runnerEntry` is read from `RAPPORTEUR_RUNNER_ENTRY` and so on. */
export const schedulerConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** Base URL of storage-config for this service. */
  storageUrl: z.url(),
  /** 32 random bytes in base64: what customers entrust to their bots (callback secrets, tokens, keys) is sealed with it. */
  secretKey: secret(44),
  /** Keys that were `secretKey` before, separated by commas; what they sealed is sealed with `secretKey` in the background. */
  formerSecretKeys: secret(44).optional(),
  /** Base URL under which runners reach this service. */
  publicSchedulerUrl: z.url(),
  /** Bus address for runners where it differs from this service's own. */
  runnerBusUrl: z.string().optional(),
  /** Seed of the NATS account that signs a runner's own bus credential. Absent: runners connect without one. */
  busAccountSeed: secret().optional(),

  /** The bot-runner's main file; run by this process's own Node. */
  runnerEntry: z.string(),
  /** Folder for what running bots leave on this machine: records, logs and work folders. */
  runsFolder: z.string(),
  /** Browser for runners; absent: the runner finds one itself. */
  chromiumPath: z.string().optional(),
  /** Browser process limit of this machine: bots beyond it wait in the queue. 0: this instance launches none. */
  maxConcurrentBots: withDefault(integer(0, 10_000), 10),

  /** The way recordings are taken: `auto`, one way for all platforms, or `meet=tracks,teams=encoded`; see docs/operating.md. */
  recordingWay: withDefault(recordingWays(), noWayPinned),
  /** `fixed`: every recording has 1280x720 throughout. `received`: pictures as they come, for much less CPU; see docs/operating.md. */
  recordingSize: withDefault(pictureSize, 'fixed'),
  /** Whether each person's sound is kept apart too, where the platform gives it. */
  recordingPersonSound: withDefault(onOrOff, 'on'),

  /** What runners may call although it is not public: `loopback`, addresses, ranges, `host:port` (pictures, streams, tokens). */
  runnerAllowedAddresses: withDefault(textList(), []),
  /** Plain http and ws then reach only `runnerAllowedAddresses`. */
  runnerRequireHttps: withDefault(flag(), true),
  /** PEM file, on the machines of the runners, of further certificate authorities to trust. */
  runnerCaFile: z.string().optional(),

  /** A Meeting SDK app of the first platform, for bots that bring tokens. Both or neither; without it `alpha_config` is refused. */
  alphaSdkKey: z.string().min(1).optional(),
  alphaSdkSecret: secret().optional(),
  /** Base URL of sso-idp for this service: stored credentials. Without it bots that name one are refused. */
  ssoIdpUrl: z.url().optional(),

  /** Speech-to-text providers that the transcriber is configured for, the default first. Empty: `transcription_enabled` is refused. */
  transcriptionEngines: withDefault(textList(), []),

  ticketTtlMs: withDefault(durationMs(1_000, 600_000), 60_000),
  leaseRenewMs: withDefault(durationMs(100, 60_000), 3_000),
  /**
   * The time to live of a lease: a runner that is silent for longer, while renewals could be recorded, is declared dead. Its end
   * is seen much sooner where its process can be observed.
   */
  leaseLostAfterMs: withDefault(durationMs(500, 600_000), 90_000),
  /** Connections to PostgreSQL that only lease renewals use, besides `databasePoolSize`. */
  leasePoolSize: withDefault(integer(1, 20), 2),
  /** After a run ended: how long its last reports may take to arrive before it is declared dead. */
  exitSettleMs: withDefault(durationMs(0, 60_000), 2_000),
  pickupDelayedAfterMs: withDefault(durationMs(1_000, 3_600_000), 30_000),
  sweepMs: withDefault(durationMs(50, 60_000), 1_000),
  /** How long before its join time a scheduled bot is launched; changes end 4 minutes before, so it must be less. */
  scheduledLeadMs: withDefault(durationMs(0, 180_000), 20_000),
  /** A scheduled bot that is later than this, because the service was down, fails instead of joining. */
  scheduledLateAfterMs: withDefault(durationMs(0, 86_400_000), 600_000),
  /** Pause between two rounds that forget secrets nobody needs and rewrap those under a former key. */
  secretCareMs: withDefault(durationMs(100, 86_400_000), 600_000),
  /** Pause between two rounds that delete data: what a plan keeps no longer, and what storage has not confirmed. */
  dataCareMs: withDefault(durationMs(100, 86_400_000), 60_000),
  /** How long after a bot's end its legacy webhooks may still be sent: delivery's own retention. */
  legacyKeyRetentionDays: withDefault(integer(1, 3_650), 30),
  /** How long the runners of a stopping scheduler may take to leave and save. */
  drainMs: withDefault(durationMs(0, 3_600_000), 25_000),

  /** Chromium `--host-resolver-rules` that lead to the simulator. The three simulator settings come together. */
  simulatorRules: z.string().optional(),
  simulatorSpki: z.string().optional(),
  /** Hosts, with port, of links that stand for a simulated meeting. */
  simulatorLinkHosts: withDefault(textList(), []),
} as const;

export type SchedulerConfig = ConfigOf<typeof schedulerConfig>;

export function formerKeysOf({ formerSecretKeys }: SchedulerConfig): string[] {
  const keys = formerSecretKeys?.reveal().split(',') ?? [];
  return keys.map((key) => key.trim()).filter((key) => key !== '');
}

/** The deployment's Meeting SDK app, or null. Throws when only half of it is configured. */
export function alphaSdkOf({ alphaSdkKey, alphaSdkSecret }: SchedulerConfig): SdkCredentials | null {
  if (alphaSdkKey === undefined && alphaSdkSecret === undefined) return null;
  if (alphaSdkKey === undefined || alphaSdkSecret === undefined) {
    throw new Error(
      'Only half of the Meeting SDK app is configured: set RAPPORTEUR_ALPHA_SDK_KEY and RAPPORTEUR_ALPHA_SDK_SECRET, or neither of them.',
    );
  }
  return { key: alphaSdkKey, secret: alphaSdkSecret.reveal() };
}

/** The simulator this deployment has, or null. Throws when only part of it is configured. */
export function simulatorOf(config: SchedulerConfig): SimulatorSettings | null {
  const { simulatorRules, simulatorSpki, simulatorLinkHosts } = config;
  const given = [simulatorRules, simulatorSpki, simulatorLinkHosts[0]].filter((setting) => setting !== undefined);
  if (given.length === 0) return null;
  if (simulatorRules === undefined || simulatorSpki === undefined || simulatorLinkHosts.length === 0) {
    throw new Error(
      'Only a part of the simulator is configured: set RAPPORTEUR_SIMULATOR_RULES, RAPPORTEUR_SIMULATOR_SPKI and RAPPORTEUR_SIMULATOR_LINK_HOSTS, or none of them.',
    );
  }
  return { hostResolverRules: simulatorRules, certificateSpki: simulatorSpki, linkHosts: simulatorLinkHosts };
}

export interface SimulatorSettings {
  readonly hostResolverRules: string;
  readonly certificateSpki: string;
  readonly linkHosts: readonly string[];
}
