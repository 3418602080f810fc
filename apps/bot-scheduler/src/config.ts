import { z } from 'zod';
import {
  busConfig,
  busTlsConfig,
  databaseConfig,
  durationMs,
  flag,
  httpConfig,
  integer,
  internalAuthConfig,
  outboundConfig,
  proxyConfig,
  Secret,
  secret,
  textList,
  withDefault,
  httpUrl,
} from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import { clustersText, labelName } from './launch/clusters/cluster-settings.ts';
import { leaveNodes } from './launch/kubernetes/leaving-nodes.ts';
import type { LeaveNodes } from './launch/kubernetes/leaving-nodes.ts';
import { canarySetting } from './canaries/canary-config.ts';
import { podSettings, podSettingsText } from './launch/kubernetes/pod-settings.ts';
import { recordingConfig } from './launch/recording-settings.ts';
import { liveKeySettings } from './transcription/live-engines.ts';
import type { SdkCredentials } from './credentials/sdk-signature.ts';

/** Every setting of bot-scheduler; `runnerEntry` is read from `RAPPORTEUR_RUNNER_ENTRY` and so on. */
export const schedulerConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** Base URL of storage-config for this service. */
  storageUrl: httpUrl(),
  /** 32 random bytes in base64. Seals customers' secrets of bots: callback secrets, tokens, keys. */
  secretKey: secret(44),
  /**
   * Previous values of `secretKey`, separated by commas; secrets that they sealed are sealed with `secretKey` in the
   * background.
   */
  formerSecretKeys: secret(44).optional(),
  /** Base URL under which runners reach this service. */
  publicSchedulerUrl: httpUrl(),
  /** Bus address for runners where it differs from this service's own. */
  runnerBusUrl: z.string().optional(),
  /** PEM files on the runners' machines that are for the bus what `busCaFile`, `busCertFile`, `busKeyFile` are here. */
  runnerBusCaFile: busTlsConfig.busCaFile,
  runnerBusCertFile: busTlsConfig.busCertFile,
  runnerBusKeyFile: busTlsConfig.busKeyFile,
  /** Seed of the NATS account that signs a runner's own bus credential. Absent: runners connect without one. */
  busAccountSeed: secret().optional(),

  /**
   * `process`: each bot is a child process on this machine. `kubernetes`: each bot is a Job; see
   * docs/runbooks/bots-in-kubernetes.md.
   */
  launcher: withDefault(z.enum(['process', 'kubernetes']) as z.ZodType<'process' | 'kubernetes', string>, 'process'),

  /** With launcher `process`: the bot-runner's main file; run by this process's own Node. */
  runnerEntry: z.string().optional(),
  /** With launcher `process`: folder for records, logs and work folders of runs. */
  runsFolder: z.string().optional(),

  /** With launcher `kubernetes`: where Jobs are created, and the image of bot-runner. */
  kubernetesNamespace: labelName.optional(),
  kubernetesImage: z.string().optional(),
  /** Distinguishes this deployment's Jobs from those of another one in the same namespace. */
  kubernetesInstance: withDefault(
    z.string().regex(/^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/, 'must be a label value'),
    'rapporteur',
  ),
  /** Kubeconfig file; absent: the service account of this pod. */
  kubernetesConfigFile: z.string().optional(),
  /**
   * JSON list of clusters over which bots are distributed; see docs/guides/kubernetes.md. Empty: one cluster, by the
   * settings around this one, which are also the defaults of an entry.
   */
  kubernetesClusters: withDefault(clustersText(), []),
  /** JSON object: resources by platform and recording mode, labels, tolerations and more; see the runbook. */
  kubernetesPod: withDefault(podSettingsText(), podSettings.parse({})),
  /** Maximum number of Jobs that this replica creates per second; fewer while the API server refuses some. */
  kubernetesCreatesPerSecond: withDefault(integer(1, 1_000), 20),
  /**
   * Which nodes bots leave before their pods are evicted: `never`; `tainted`: those that an autoscaler, a cloud provider
   * or their own shutdown takes; `cordoned`: those and cordoned ones. The last two need a ClusterRole that reads nodes.
   */
  kubernetesLeaveNodes: withDefault(z.enum(leaveNodes) as z.ZodType<LeaveNodes, string>, 'never'),
  /** Name of the PodDisruptionBudget that keeps as many pods of bots as run, so that drains wait for them; absent: none. */
  kubernetesDisruptionBudget: z.string().optional(),
  /** Launches pause while this many launched bots cannot start. */
  kubernetesMostUnschedulable: withDefault(integer(1, 10_000), 20),
  /** How long a Job may wait for a node and its image before it is deleted and launched again. */
  kubernetesStartDeadlineMs: withDefault(durationMs(1_000, 3_600_000), 600_000),
  /** A bot that runs longer is ended. */
  kubernetesRunDeadlineMs: withDefault(durationMs(60_000, 86_400_000), 32_400_000),
  /** Grace period after SIGTERM to leave, save and upload before a bot is killed. */
  kubernetesTerminationGraceMs: withDefault(durationMs(1_000, 3_600_000), 60_000),
  /** How long an ended Job, its pod and its log are kept. */
  kubernetesKeepEndedMs: withDefault(durationMs(0, 604_800_000), 600_000),
  /** Browser for runners; absent: the runner selects one. */
  chromiumPath: z.string().optional(),
  /**
   * `false`: runners start Chromium without its own sandbox, for pods whose seccomp profile refuses user namespaces.
   */
  runnerChromiumSandbox: withDefault(flag(), true),
  /**
   * Maximum number of running bots of the deployment; further bots wait in the queue. 0: this instance launches none.
   */
  maxConcurrentBots: withDefault(integer(0, 100_000), 10),

  ...recordingConfig,

  /** Delivery's rules for the callbacks and webhooks of a bot; the values must equal delivery's. */
  allowedAddresses: outboundConfig.allowedAddresses,
  requireHttps: outboundConfig.requireHttps,

  /**
   * Non-public destinations that runners may call: `loopback`, addresses, ranges, `host:port` (images, streams,
   * tokens).
   */
  runnerAllowedAddresses: withDefault(textList(), []),
  /** If true, plain http and ws reach only `runnerAllowedAddresses`. */
  runnerRequireHttps: withDefault(flag(), true),
  /** PEM file on the runners' machines with additional certificate authorities. */
  runnerCaFile: z.string().optional(),
  /** The proxies through which runners and their browsers reach the internet, and the hosts that they reach directly. */
  runnerHttpProxy: proxyConfig.httpProxy,
  runnerHttpsProxy: proxyConfig.httpsProxy,
  runnerNoProxy: proxyConfig.noProxy,

  /** A Zoom Meeting SDK app, for bots with tokens. Both or neither; without it `alpha_config` is refused. */
  zoomSdkKey: z.string().min(1).optional(),
  zoomSdkSecret: secret().optional(),
  /** Base URL of sso-idp for this service: stored credentials. Without it, bots that name one are refused. */
  ssoIdpUrl: httpUrl().optional(),

  /**
   * Speech-to-text providers that the transcriber is configured for, the default first. Empty: `transcription_enabled`
   * is refused.
   */
  transcriptionEngines: withDefault(textList(), []),
  /** Base URL of transcriber for this service: transcripts for the legacy API. Absent: the legacy API returns none. */
  transcriberUrl: httpUrl().optional(),
  /**
   * Live speech-to-text providers, the default first: `deepgram,local`. Empty: streaming mode `transcription` is
   * refused.
   */
  liveTranscriptionEngines: withDefault(textList(), []),
  /** A live provider used when the requested one fails permanently. Absent: none. */
  liveTranscriptionFallback: z.string().optional(),
  /** Keys of live providers: `liveGladiaApiKey` and so on. A runner gets those of its own bot's providers. */
  ...liveKeySettings,
  /**
   * Addresses that replace the vendors' own, for proxies, and those of `local` and of simulated providers:
   * `deepgram=wss://...,simulated-gladia=http://...`.
   */
  liveProviderAddresses: withDefault(textList(), []),
  /** Models of live providers in place of the current defaults, for requests that name none: `deepgram=nova-2`. */
  liveProviderModels: withDefault(textList(), []),

  /**
   * Page packs that are laid over the built-in ones: a JSON file, a folder of them, or an https address whose document
   * is signed (`<address>.sig`); see docs/guides/platform-changes.md. Absent: none.
   */
  pagePacks: z.string().optional(),
  /** Ed25519 public keys, base64 of their SPKI form: one of them must have signed the document at an address. */
  pagePackKeys: withDefault(textList(), []),
  /** How often they are read. */
  pagePackPollMs: withDefault(durationMs(200, 30_000), 10_000),
  /** Bots whose outcomes decide whether a new page pack does worse than the one before. */
  pagePackTrialBots: withDefault(integer(2, 1_000), 20),

  /** JSON list of standing meetings that canaries check; see docs/guides/platform-changes.md. */
  canaries: withDefault(canarySetting(), []),
  /** How long a canary stays in its call, or in a waiting room that it found. */
  canaryStayMs: withDefault(durationMs(1_000, 120_000), 20_000),
  /** Address of the operator: each canary that did not pass, and each page pack that was taken back, is posted to it. */
  canaryWebhook: httpUrl().optional(),
  /** `whsec_` and base64: signs these requests, as those to customers' webhooks. Required with `canaryWebhook`. */
  canaryWebhookSecret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and at least 24 bytes in base64')
    .transform((text) => new Secret(text))
    .optional(),

  ticketTtlMs: withDefault(durationMs(1_000, 600_000), 60_000),
  leaseRenewMs: withDefault(durationMs(100, 60_000), 3_000),
  /**
   * Time to live of a lease: a runner without renewals for longer, while renewals could be recorded, is marked as
   * failed. Where its process can be observed, its end is detected sooner.
   */
  leaseLostAfterMs: withDefault(durationMs(500, 600_000), 90_000),
  /** PostgreSQL connections reserved for lease renewals, in addition to `databasePoolSize`. */
  leasePoolSize: withDefault(integer(1, 20), 2),
  /** How long the last reports of an ended run may take to arrive before it is marked as failed. */
  exitSettleMs: withDefault(durationMs(0, 60_000), 2_000),
  /**
   * How often a bot whose run failed is launched again to rejoin its meeting, within the same recording. 0: never; the
   * bot ends.
   */
  rejoinsAfterFailure: withDefault(integer(0, 10), 0),
  /** Whether a bot whose pod is evicted from its node is moved: another run takes its place in the meeting. */
  movesDisplaced: withDefault(flag(), true),
  /**
   * Whether new bots wait while running ones get less CPU than they need: on one machine until they do, in a cluster for
   * a node without such bots. `false`: recordings give up video instead.
   */
  waitsForCpu: withDefault(flag(), true),
  /** On one machine: how long after its due time a new bot waits for CPU at most; then such bots start one after another. */
  cpuWaitMs: withDefault(durationMs(0, 3_600_000), 60_000),
  pickupDelayedAfterMs: withDefault(durationMs(1_000, 3_600_000), 30_000),
  sweepMs: withDefault(durationMs(50, 60_000), 1_000),
  /**
   * How long before its join time a scheduled bot is launched. Must be less than 4 minutes, when changes are no longer
   * accepted.
   */
  scheduledLeadMs: withDefault(durationMs(0, 180_000), 20_000),
  /** A scheduled bot that is late by more than this, because the service was down, fails instead of joining. */
  scheduledLateAfterMs: withDefault(durationMs(0, 86_400_000), 600_000),
  /** Interval of secret maintenance: deletes secrets that are no longer used and rewraps those under a former key. */
  secretMaintenanceMs: withDefault(durationMs(100, 86_400_000), 600_000),
  /** Interval of data deletion: expired data, and objects whose deletion is not confirmed. */
  dataMaintenanceMs: withDefault(durationMs(100, 86_400_000), 60_000),
  /** A deletion that no object store confirms within this time is reported to the team as failed; attempts continue. */
  dataDeletionFailedMs: withDefault(durationMs(0, 30 * 86_400_000), 86_400_000),
  /** How long after a bot's end its legacy webhooks may still be sent: delivery's retention. */
  legacyKeyRetentionDays: withDefault(integer(1, 3_650), 30),
  /** How long the runners of a stopping scheduler may take to leave and save. */
  drainMs: withDefault(durationMs(0, 3_600_000), 25_000),

  /** Chromium `--host-resolver-rules` for the simulator. The three simulator settings are set together. */
  simulatorRules: z.string().optional(),
  simulatorSpki: z.string().optional(),
  /** Hosts, with port, of links that lead to a simulated meeting. */
  simulatorLinkHosts: withDefault(textList(), []),
} as const;

export type SchedulerConfig = ConfigOf<typeof schedulerConfig>;

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

/** The deployment's simulator, or null. Throws when only part of it is configured. */
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
