import { onOrOff, videoSize } from '@rapporteur/contracts';
import { z } from 'zod';
import {
  busConfig,
  databaseConfig,
  durationMs,
  flag,
  httpConfig,
  integer,
  internalAuthConfig,
  outboundConfig,
  secret,
  textList,
  withDefault,
  httpUrl,
} from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import { podSettings, podSettingsText } from './launch/kubernetes/pod-settings.ts';
import { noStrategyPinned, captureStrategies } from './launch/capture-strategy.ts';
import type { SdkCredentials } from './stored-credentials/sdk-signature.ts';

/** Every setting of bot-scheduler; `runnerEntry` is read from `RAPPORTEUR_RUNNER_ENTRY` and so on. */
export const schedulerConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** Base URL of storage-config for this service. */
  storageUrl: httpUrl(),
  /** 32 random bytes in base64: what customers entrust to their bots (callback secrets, tokens, keys) is sealed with it. */
  secretKey: secret(44),
  /** Keys that were `secretKey` before, separated by commas; what they sealed is sealed with `secretKey` in the background. */
  formerSecretKeys: secret(44).optional(),
  /** Base URL under which runners reach this service. */
  publicSchedulerUrl: httpUrl(),
  /** Bus address for runners where it differs from this service's own. */
  runnerBusUrl: z.string().optional(),
  /** Seed of the NATS account that signs a runner's own bus credential. Absent: runners connect without one. */
  busAccountSeed: secret().optional(),

  /** `process`: each bot is a child process on this machine. `kubernetes`: each bot is a Job; see docs/runbooks/bots-in-kubernetes.md. */
  launcher: withDefault(z.enum(['process', 'kubernetes']) as z.ZodType<'process' | 'kubernetes', string>, 'process'),

  /** With launcher `process`: the bot-runner's main file; run by this process's own Node. */
  runnerEntry: z.string().optional(),
  /** With launcher `process`: folder for what running bots leave on this machine: records, logs and work folders. */
  runsFolder: z.string().optional(),

  /** With launcher `kubernetes`: where Jobs are created, and the image of bot-runner. */
  kubernetesNamespace: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be the name of a namespace')
    .optional(),
  kubernetesImage: z.string().optional(),
  /** Distinguishes this deployment's Jobs from those of another one in the same namespace. */
  kubernetesInstance: withDefault(
    z.string().regex(/^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/, 'must be a label value'),
    'rapporteur',
  ),
  /** Kubeconfig file; absent: the service account of the pod that this service runs in. */
  kubernetesConfigFile: z.string().optional(),
  /** JSON object: resources by platform and recording mode, labels, tolerations and more; see the runbook. */
  kubernetesPod: withDefault(podSettingsText(), podSettings.parse({})),
  /** Jobs that this replica creates per second at most; it creates fewer while the API server refuses some. */
  kubernetesCreatesPerSecond: withDefault(integer(1, 1_000), 20),
  /** So many bots without a place in the cluster hold back further launches. */
  kubernetesMostUnschedulable: withDefault(integer(1, 10_000), 20),
  /** How long a Job may wait for a place and its image before it is given up and launched again. */
  kubernetesStartDeadlineMs: withDefault(durationMs(1_000, 3_600_000), 600_000),
  /** A bot that runs longer is ended. */
  kubernetesRunDeadlineMs: withDefault(durationMs(60_000, 86_400_000), 32_400_000),
  /** How long a bot that gets SIGTERM may take to leave, save and upload before it is killed. */
  kubernetesTerminationGraceMs: withDefault(durationMs(1_000, 3_600_000), 60_000),
  /** How long an ended Job, its pod and its log stay for operators. */
  kubernetesKeepEndedMs: withDefault(durationMs(0, 604_800_000), 600_000),
  /** Browser for runners; absent: the runner finds one itself. */
  chromiumPath: z.string().optional(),
  /** `false`: runners start Chromium without its own sandbox, for pods whose seccomp profile refuses user namespaces. */
  runnerChromiumSandbox: withDefault(flag(), true),
  /** Bots that run at the same time in the whole deployment: more wait in the queue. 0: this instance launches none. */
  maxConcurrentBots: withDefault(integer(0, 100_000), 10),

  /** The way recordings are taken: `auto`, one way for all platforms, or `meet=tracks,teams=tab`; see docs/operating.md. */
  captureStrategy: withDefault(captureStrategies(), noStrategyPinned),
  /** `fixed`: every recording has 1280x720 throughout. `received`: video as it comes, for much less CPU; see docs/operating.md. */
  recordingSize: withDefault(videoSize, 'fixed'),
  /** Whether each participant's audio is kept apart too, where the platform gives it. */
  recordingParticipantAudio: withDefault(onOrOff, 'on'),

  /** The rules of delivery, for callbacks and webhooks that come with a bot; the same values as there. */
  allowedAddresses: outboundConfig.allowedAddresses,
  requireHttps: outboundConfig.requireHttps,

  /** What runners may call although it is not public: `loopback`, addresses, ranges, `host:port` (images, streams, tokens). */
  runnerAllowedAddresses: withDefault(textList(), []),
  /** Plain http and ws then reach only `runnerAllowedAddresses`. */
  runnerRequireHttps: withDefault(flag(), true),
  /** PEM file, on the machines of the runners, of further certificate authorities to trust. */
  runnerCaFile: z.string().optional(),

  /** A Zoom Meeting SDK app, for bots that bring tokens. Both or neither; without it `alpha_config` is refused. */
  zoomSdkKey: z.string().min(1).optional(),
  zoomSdkSecret: secret().optional(),
  /** Base URL of sso-idp for this service: stored credentials. Without it bots that name one are refused. */
  ssoIdpUrl: httpUrl().optional(),

  /** Speech-to-text providers that the transcriber is configured for, the default first. Empty: `transcription_enabled` is refused. */
  transcriptionEngines: withDefault(textList(), []),
  /** Base URL of transcriber for this service: transcripts for the legacy API. Absent: the legacy API shows none. */
  transcriberUrl: httpUrl().optional(),
  /** Live speech-to-text providers, the default first: `deepgram,local`. Empty: streaming mode `transcription` is refused. */
  liveTranscriptionEngines: withDefault(textList(), []),
  /** One of them, used when the provider that a bot asks for is lost for good. Absent: none. */
  liveTranscriptionFallback: z.string().optional(),
  /** Keys of the vendors among them. A runner gets those that its own bot uses. */
  liveGladiaApiKey: secret().optional(),
  liveDeepgramApiKey: secret().optional(),
  liveAssemblyaiApiKey: secret().optional(),
  liveSpeechmaticsApiKey: secret().optional(),
  liveSonioxApiKey: secret().optional(),
  liveElevenlabsApiKey: secret().optional(),
  liveLocalApiKey: secret().optional(),
  /** Addresses in place of the vendors' own, for proxies, and those of `local` and of simulated providers: `deepgram=wss://...,simulated-gladia=http://...`. */
  liveProviderAddresses: withDefault(textList(), []),

  ticketTtlMs: withDefault(durationMs(1_000, 600_000), 60_000),
  leaseRenewMs: withDefault(durationMs(100, 60_000), 3_000),
  /**
   * The time to live of a lease: a runner that is silent for longer, while renewals could be recorded, is marked as failed. Its end
   * is seen much sooner where its process can be observed.
   */
  leaseLostAfterMs: withDefault(durationMs(500, 600_000), 90_000),
  /** Connections to PostgreSQL that only lease renewals use, besides `databasePoolSize`. */
  leasePoolSize: withDefault(integer(1, 20), 2),
  /** After a run ended: how long its last reports may take to arrive before it is marked as failed. */
  exitSettleMs: withDefault(durationMs(0, 60_000), 2_000),
  /** How often a bot whose run failed is launched again to rejoin its meeting, within the same recording. 0: it ends. */
  rejoinsAfterFailure: withDefault(integer(0, 10), 0),
  /** Whether a bot whose pod is taken from its node is moved: another run takes its place in the meeting. */
  movesDisplaced: withDefault(flag(), true),
  pickupDelayedAfterMs: withDefault(durationMs(1_000, 3_600_000), 30_000),
  sweepMs: withDefault(durationMs(50, 60_000), 1_000),
  /** How long before its join time a scheduled bot is launched; changes end 4 minutes before, so it must be less. */
  scheduledLeadMs: withDefault(durationMs(0, 180_000), 20_000),
  /** A scheduled bot that is later than this, because the service was down, fails instead of joining. */
  scheduledLateAfterMs: withDefault(durationMs(0, 86_400_000), 600_000),
  /** Pause between two rounds that forget secrets nobody needs and rewrap those under a former key. */
  secretMaintenanceMs: withDefault(durationMs(100, 86_400_000), 600_000),
  /** Pause between two rounds that delete data: what a plan keeps no longer, and what storage has not confirmed. */
  dataMaintenanceMs: withDefault(durationMs(100, 86_400_000), 60_000),
  /** A deletion that no object store confirms for so long is reported to the team as failed; attempts continue. */
  dataDeletionFailedMs: withDefault(durationMs(0, 30 * 86_400_000), 86_400_000),
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
export function zoomSdkOf({ zoomSdkKey, zoomSdkSecret }: SchedulerConfig): SdkCredentials | null {
  if (zoomSdkKey === undefined && zoomSdkSecret === undefined) return null;
  if (zoomSdkKey === undefined || zoomSdkSecret === undefined) {
    throw new Error(
      'Only half of the Meeting SDK app is configured: set RAPPORTEUR_ZOOM_SDK_KEY and RAPPORTEUR_ZOOM_SDK_SECRET, or neither of them.',
    );
  }
  return { key: zoomSdkKey, secret: zoomSdkSecret.reveal() };
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
