import type { V1Job, V1Node, V1Pod } from '@kubernetes/client-node';
import type { StartPace } from '../../scheduled/lead-time.ts';
import { isRefused, isSuspended, LaunchPostponed, RunExists } from '../launcher.ts';
import type { BotLauncher, LaunchSpec, ObservedRun, RunEvidence, StartObstacle } from '../launcher.ts';
import { LogLimit, lastLines } from '../log-limit.ts';
import type { Context } from '../../schema/context.ts';
import { isCertainlyRefused, isQuota, obstacleOfError, retryDelayMs, statusOf } from './api-errors.ts';
import type { JobApi } from './job-api.ts';
import { containerOf, isTerminal } from './classify-run.ts';
import type { RunObjects } from './classify-run.ts';
import { ticketVariable, writeJob } from './job-spec.ts';
import type { JobSettings } from './job-spec.ts';
import { LaunchPace } from './launch-pace.ts';
import type { LeaveNodes } from './leaving-nodes.ts';
import { startReflector } from './reflector.ts';
import type { Reflector, ReflectorOptions } from './reflector.ts';
import { LaunchWindow } from './refusals.ts';
import { RunCache } from './run-cache.ts';

const longestMessage = 500;

/**
 * The part of a pod's status that explains its end. `log` contains the container's last lines, if they could be read.
 */
function evidenceOf(
  { job, pod, podDeleted }: Pick<RunObjects, 'job' | 'pod' | 'podDeleted'>,
  log: string | null,
): RunEvidence {
  const terminated = pod === null ? undefined : containerOf(pod)?.state?.terminated;
  return {
    status: {
      pod: pod?.metadata?.name ?? null,
      node: pod?.spec?.nodeName ?? null,
      podDeleted,
      deletionTimestamp: textOf(pod?.metadata?.deletionTimestamp),
      phase: pod?.status?.phase ?? null,
      reason: pod?.status?.reason ?? null,
      message: cut(pod?.status?.message),
      container:
        terminated === undefined
          ? null
          : {
              exitCode: terminated.exitCode,
              reason: terminated.reason ?? null,
              startedAt: textOf(terminated.startedAt),
            },
      podConditions: conditionsOf(pod),
      jobConditions: conditionsOf(job),
    },
    lastLogLines: lastLines(log ?? terminated?.message ?? ''),
  };
}

function conditionsOf(object: V1Pod | V1Job | null): unknown[] {
  return (object?.status?.conditions ?? [])
    .filter(({ reason, message }) => reason !== undefined || message !== undefined)
    .map(({ type, status, reason, message }) => ({ type, status, reason: reason ?? null, message: cut(message) }));
}

/** Objects from a watch carry times as strings, those from a call as dates. */
function textOf(time: Date | string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

function cut(message: string | undefined): string | null {
  return message === undefined ? null : message.slice(0, longestMessage);
}

export interface KubernetesLauncherOptions extends Pick<Context, 'clock' | 'logger'> {
  readonly api: JobApi;
  readonly job: JobSettings;
  /** Maximum number of Jobs created per second by this replica. */
  readonly createsPerSecond: number;
  /** Launches pause while this many launched runs cannot start. */
  readonly mostUnschedulable: number;
  /** Which nodes runs leave before they are evicted; default `never`: nodes are not observed. */
  readonly leaveNodes?: LeaveNodes;
  /** PodDisruptionBudget that keeps drains waiting for the running bots; absent: none. */
  readonly budget?: string | undefined;
  /** Objects per page of a list; default 500. */
  readonly pageSize?: number;
  /** Seconds per watch; default 15. */
  readonly watchSeconds?: number;
}

const createAttempts = 3;
const syncDeadlineMs = 10_000;
const pollMs = 100;
/** Time for the API server and the kubelet to remove a pod, after the grace period. */
const forcedEndDeadlineMs = 15_000;
const quotaPauseMs = 5_000;
const budgetPollMs = 1_000;
/** After which a budget is set again, because an upgrade of the release resets it. */
const budgetRenewMs = 60_000;
/** Pause between a refused pod and the next probe. */
const refusalPauseMs = 2_000;
/** Time for sidecars to end after the bot's container. */
const sidecarGraceSeconds = 10;
const logLines = 20;

export interface KubernetesBotLauncher extends BotLauncher {
  /** none: its runs are not listed yet. outdated: the API is unreachable, or lists again. */
  view(): 'none' | 'outdated' | 'current';
  /** The last observed state of a run, or null. */
  objectsOf(name: string): Pick<RunObjects, 'job' | 'pod' | 'podDeleted'> | null;
}

/**
 * Runs each bot as one Kubernetes Job with one pod. Existing runs are observed by list and watch, on any number of
 * replicas.
 */
export function createKubernetesLauncher(options: KubernetesLauncherOptions): KubernetesBotLauncher {
  return new KubernetesLauncher(options);
}

class KubernetesLauncher implements KubernetesBotLauncher {
  readonly runsOutliveScheduler = true;
  readonly #pace: LaunchPace;
  readonly #options: KubernetesLauncherOptions;
  readonly #cache: RunCache;
  readonly #window: LaunchWindow;
  readonly #reflectors: readonly Reflector[];
  /** Launches do not wait for these, and go on without the rights for them. */
  readonly #informational: readonly Reflector[];
  readonly #logLimit: LogLimit;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #budget: Promise<void>;
  /** Stopped runs whose Jobs are being deleted. */
  readonly #retiring = new Set<string>();
  #postponements = 0;
  #lateRuns: readonly string[] = [];

  constructor(options: KubernetesLauncherOptions) {
    const { api, clock, logger, leaveNodes = 'never', pageSize = 500, watchSeconds = 15 } = options;
    const [now, monotonic] = [() => clock.now(), () => clock.monotonic()];
    this.#options = options;
    this.#pace = new LaunchPace({ perSecond: options.createsPerSecond, now: monotonic });
    this.#cache = new RunCache({
      now,
      leaveNodes,
      onEnded: (run) => this.#ended(run),
      onStarted: (latencyMs) => this.#pace.started(latencyMs),
      onObstacle: (run, obstacle) => this.#obstructed(run, obstacle),
      onDisplaced: () => this.#notify(),
      onLeaving: (node, { reason }, runs) => {
        const fields = { node, reason, runs };
        if (runs > 0) logger.info(fields, 'A node is leaving; its bots move.');
        else logger.debug(fields, 'A node without bots is leaving.');
      },
      onStopped: (name) => this.#retire(name),
      onPod: () => this.#podCreated(),
    });
    this.#logLimit = new LogLimit(monotonic);
    this.#window = new LaunchWindow(monotonic);
    const cache = this.#cache;
    const following = { pageSize, watchSeconds, clock, logger };
    this.#reflectors = [
      startReflector({
        what: 'jobs',
        without: 'No bot is launched there.',
        list: (page) => api.listJobs(page),
        watch: api.watchJobs,
        onObject: (job, deleted) => cache.putJob(job, deleted),
        onListed: (names, listedAtMs) => cache.keepJobs(names, listedAtMs),
        ...following,
      }),
      startReflector({
        what: 'pods',
        without: 'No bot is launched there.',
        list: (page) => api.listPods(page),
        watch: api.watchPods,
        onObject: (pod, deleted) => cache.putPod(pod, deleted),
        onListed: (names) => cache.keepPods(names),
        ...following,
      }),
    ];
    const refusals = startReflector({
      what: 'events',
      without: 'Refused pods have no reason.',
      list: (page) => api.listRefusals(page),
      watch: api.watchRefusals,
      onObject: (event, deleted) => cache.putRefusal(event, deleted),
      onListed: () => undefined,
      ...following,
    });
    this.#budget = options.budget === undefined ? Promise.resolve() : this.#keepBudget(options.budget);
    if (leaveNodes === 'never') this.#informational = [refusals];
    else this.#informational = [refusals, followNodes(api, cache, following)];
  }

  pace(): StartPace {
    const { perSecond, startLatencyMs } = this.#pace;
    return { perSecond, startLatencyMs };
  }

  launchSlots(): number {
    if (this.view() !== 'current') return 0;
    const waiting = this.#cache.runs().filter(({ obstacle }) => obstacle !== undefined && !isRefused(obstacle)).length;
    if (waiting >= this.#options.mostUnschedulable) return 0;
    return Math.min(this.#pace.slots(), this.#window.room(this.#cache.withoutPod()));
  }

  refusal(): StartObstacle | null {
    const failure = this.#reflectors.map((reflector) => reflector.failure()).find((error) => error !== null);
    return failure === undefined ? this.#window.refusal() : obstacleOfError(failure);
  }

  setLateRuns(names: readonly string[]): void {
    this.#lateRuns = names.filter((name) => this.#cache.find(name) !== null);
  }

  async launch(spec: LaunchSpec): Promise<void> {
    this.#pace.take();
    const creating = this.#create(writeJob(this.#options.job, spec, this.#lateRuns), spec);
    const created = await creating.catch((error: unknown) => {
      this.#pace.failed();
      throw error;
    });
    if (created === null) return this.#pace.failed();
    this.#cache.putJob(created, false);
    this.#postponements = 0;
    this.#pace.accepted();
  }

  /** Null: unknown whether the Job exists. Its lease decides: the run appears, or its launch fails. */
  async #create(job: V1Job, spec: LaunchSpec): Promise<V1Job | null> {
    const { api, clock, logger } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await api.createJob(job);
      } catch (error) {
        if (isCertainlyRefused(error)) throw this.#postponed(error);
        const found = await this.#findCreated(error, spec, attempt);
        if (found === 'unknown') {
          this.#pause(error, obstacleOfError(error));
          logger.warn({ err: error, run: spec.name, botId: spec.botId }, 'Whether a Job was created is not known yet.');
          return null;
        }
        if (found !== 'absent') return found;
        if (attempt >= createAttempts) throw this.#postponed(error);
        await clock.sleep(retryDelayMs(error, attempt));
      }
    }
  }

  /** A conflict of the first attempt is with a Job that was there before. */
  async #findCreated(error: unknown, spec: LaunchSpec, attempt: number): Promise<V1Job | 'absent' | 'unknown'> {
    let job: V1Job;
    try {
      job = await this.#options.api.readJob(spec.name);
    } catch (readError) {
      return statusOf(readError) === 404 ? 'absent' : 'unknown';
    }
    const isOwn = ticketOf(job) === spec.ticket && (attempt > 1 || statusOf(error) !== 409);
    if (isOwn) return job;
    throw new RunExists(spec.name, { cause: error });
  }

  #postponed(error: unknown): LaunchPostponed {
    const obstacle = obstacleOfError(error);
    this.#pause(error, obstacle);
    return new LaunchPostponed(obstacle, { cause: error });
  }

  #pause(error: unknown, obstacle: StartObstacle): void {
    this.#postponements += 1;
    this.#window.refused(obstacle);
    this.#pace.refused(Math.max(isQuota(error) ? quotaPauseMs : 0, retryDelayMs(error, this.#postponements)));
  }

  async observe(): Promise<ObservedRun[]> {
    const deadlineMs = this.#options.clock.monotonic() + syncDeadlineMs;
    while (this.view() === 'none') {
      if (this.#options.clock.monotonic() >= deadlineMs) throw new Error('The Jobs of bots could not be listed yet.');
      await this.#options.clock.sleep(pollMs);
    }
    return this.#cache.runs();
  }

  view(): 'none' | 'outdated' | 'current' {
    if (!this.#reflectors.every((reflector) => reflector.synced())) return 'none';
    return this.#reflectors.every((reflector) => reflector.current()) ? 'current' : 'outdated';
  }

  async withdraw(name: string): Promise<boolean> {
    const found = this.#cache.find(name);
    if (found === null || !isRefused(found.run.obstacle)) return false;
    const { uid = '', resourceVersion = '' } = found.objects.job?.metadata ?? {};
    try {
      await this.#options.api.deleteJob(name, { uid, resourceVersion });
    } catch (error) {
      // Changed: its pod may have been created. The next poll observes the current state.
      if (statusOf(error) === 404 || statusOf(error) === 409) return false;
      throw error;
    }
    this.#cache.putJob(found.objects.job as V1Job, true);
    return true;
  }

  objectsOf(name: string): Pick<RunObjects, 'job' | 'pod' | 'podDeleted'> | null {
    const found = this.#cache.find(name);
    if (found === null) return null;
    const { job, pod, podDeleted } = found.objects;
    return { job, pod, podDeleted };
  }

  async evidence(name: string): Promise<RunEvidence | null> {
    const found = this.#cache.find(name);
    if (found === null) return null;
    const { pod, podDeleted } = found.objects;
    const kept = pod === null ? undefined : containerOf(pod)?.state?.terminated?.message;
    const podName = pod?.metadata?.name;
    const readable = kept === undefined && podName !== undefined && !podDeleted && this.view() === 'current';
    const log = readable ? await this.#options.api.readPodLog(podName, logLines).catch(() => null) : null;
    return evidenceOf(found.objects, log);
  }

  async stop(name: string, { graceMs }: { readonly graceMs: number }): Promise<void> {
    const { api, clock } = this.#options;
    // With 0 the API server deletes the pod at once, even if its container still runs.
    const graceSeconds = Math.max(1, Math.ceil(graceMs / 1_000));
    const deadlineMs = clock.monotonic() + graceSeconds * 1_000 + forcedEndDeadlineMs;
    // A pod without a node is removed with its Job only. For a started run the pod is deleted alone, and its Job stays.
    if (this.#cache.find(name)?.run.state === 'pending') await unlessGone(api.deleteJob(name));
    let requested = false;
    for (;;) {
      const found = this.#cache.find(name);
      if (found === null || found.run.state === 'exited') return;
      const { pod } = found.objects;
      // The pod may be observed only now, and its own grace period is longer.
      if (pod !== null && !requested) await unlessGone(this.#deletePod(pod, graceSeconds));
      requested ||= pod !== null;
      if (clock.monotonic() >= deadlineMs)
        throw new Error(`The run ${name} could not be ended; its node may be unreachable.`);
      await clock.sleep(pollMs);
    }
  }

  async #deletePod({ metadata }: V1Pod, graceSeconds: number): Promise<void> {
    const pending = metadata?.deletionGracePeriodSeconds;
    if (pending !== undefined && pending <= graceSeconds) return;
    await this.#options.api.deletePod(metadata?.name ?? '', graceSeconds);
  }

  async forget(name: string): Promise<void> {
    const { job = null, pod = null, podDeleted = false, stopped = false } = this.#cache.find(name)?.objects ?? {};
    if (stopped && job !== null) await unlessGone(this.#options.api.deleteJob(name));
    // Sidecars would keep the pod, and with it the Job, indefinitely.
    if (pod !== null && !podDeleted && !isTerminal(pod)) await unlessGone(this.#deletePod(pod, sidecarGraceSeconds));
    this.#cache.forget(name);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#listeners.clear();
    await this.#budget;
    await Promise.all([...this.#reflectors, ...this.#informational].map((reflector) => reflector.stop()));
  }

  /** The budget keeps as many pods as run: fewer would let one be evicted, more is a budget that is never met. */
  async #keepBudget(name: string): Promise<void> {
    const { api, clock, logger } = this.#options;
    let [kept, setAtMs] = [-1, 0];
    while (!this.#closing.signal.aborted) {
      const running = this.#cache.runs().filter(({ state }) => state === 'running').length;
      const isDue = running !== kept || clock.monotonic() - setAtMs >= budgetRenewMs;
      if (isDue && this.view() === 'current') {
        try {
          await api.setBudget(name, running);
          [kept, setAtMs] = [running, clock.monotonic()];
        } catch (error) {
          if (this.#logLimit.takes('budget')) logger.warn({ err: error, budget: name }, 'Drains may end bots.');
        }
      }
      await clock.sleep(budgetPollMs, this.#closing.signal).catch(() => undefined);
    }
  }

  #ended({ name, botId, attempt, exit }: ObservedRun): void {
    this.#options.logger.info({ run: name, botId, attempt, exit }, `A bot's pod ended: ${exit?.cause ?? 'unknown'}.`);
    this.#notify();
  }

  /**
   * A Job that its queue stops and later resumes would start a pod with a used ticket. Its pod keeps its grace period.
   * Repeated when the run is forgotten.
   */
  #retire(name: string): void {
    if (this.#retiring.has(name)) return;
    this.#retiring.add(name);
    const { api, logger } = this.#options;
    logger.info({ run: name }, 'A queue of the cluster stops a bot; its Job is deleted, and its pod ends by itself.');
    void unlessGone(api.deleteJob(name))
      .catch((error: unknown) => logger.warn({ err: error, run: name }, 'The Job of a stopped bot was not deleted.'))
      .finally(() => this.#retiring.delete(name));
  }

  #obstructed({ name, botId, attempt }: ObservedRun, { cause, message }: StartObstacle): void {
    const { logger } = this.#options;
    const fields = { run: name, botId, attempt, cause };
    if (isSuspended({ cause, message })) logger.debug(fields, `A bot waits for a queue of the cluster: ${message}`);
    else if (this.#logLimit.takes(cause)) logger.warn(fields, `A bot's pod does not start (${cause}): ${message}`);
    else logger.debug(fields, `Another bot's pod does not start: ${message}`);
    if (!isRefused({ cause, message })) return;
    this.#window.refused({ cause, message });
    this.#pace.pause(refusalPauseMs);
    this.#notify();
  }

  #podCreated(): void {
    if (!this.#window.accepted()) return;
    this.#options.logger.info({}, 'The cluster accepts bots again.');
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function followNodes(
  api: JobApi,
  cache: RunCache,
  following: Pick<ReflectorOptions<V1Node>, 'pageSize' | 'watchSeconds' | 'clock' | 'logger'>,
): Reflector {
  return startReflector({
    what: 'nodes',
    without: 'Bots move only when their pods are evicted.',
    list: (page) => api.listNodes(page),
    watch: api.watchNodes,
    onObject: (node, deleted) => cache.putNode(node, deleted),
    onListed: (names) => cache.keepNodes(names),
    ...following,
  });
}

async function unlessGone(deletion: Promise<void>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (statusOf(error) !== 404) throw error;
  });
}

function ticketOf(job: V1Job): string | undefined {
  return job.spec?.template.spec?.containers[0]?.env?.find(({ name }) => name === ticketVariable)?.value;
}
