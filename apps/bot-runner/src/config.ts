import { z } from 'zod';
import {
  busTlsConfig,
  durationMs,
  flag,
  httpUrl,
  runtimeConfig,
  secret,
  withDefault,
} from '@rapporteur/service-runtime/process';
import type { ConfigOf } from '@rapporteur/service-runtime/process';

/** Every setting of a runner; everything else is in the invocation document that the ticket is redeemed for. */
export const runnerConfig = {
  ...runtimeConfig,
  /** Base URL of bot-scheduler. */
  schedulerUrl: httpUrl(),
  /** Addresses that replace those of the invocation document, in a cluster that reaches the services by others. */
  busUrl: z.string().optional(),
  storageUrl: httpUrl().optional(),
  ...busTlsConfig,
  /** Redeems one invocation document, once. */
  launchTicket: secret(),
  /** An empty folder of this run for browser profile, fragments and artifacts. The launcher removes it. */
  workFolder: z.string(),
  chromiumPath: withDefault(z.string(), '/usr/bin/chromium'),
  /** `false`: Chromium runs without its own sandbox, for pods whose seccomp profile denies user namespaces. */
  chromiumSandbox: withDefault(flag(), true),
  /** Time from SIGTERM until the launcher kills this process. */
  terminationGraceMs: withDefault(durationMs(1_000, 86_400_000), 25_000),
  /** `true`: this process has a container of its own, and a CPU limit of it does not show that the machine is busy. */
  ownContainer: withDefault(flag(), false),
  ffmpegPath: withDefault(z.string(), 'ffmpeg'),
} as const;

export type RunnerConfig = ConfigOf<typeof runnerConfig>;
