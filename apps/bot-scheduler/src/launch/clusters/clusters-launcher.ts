import { doneWithin } from '@rapporteur/async';
import type { StartPace } from '../../scheduled/lead-time.ts';
import type { KubernetesBotLauncher } from '../kubernetes/kubernetes-launcher.ts';
import { lacksNode, LaunchPostponed, RunExists } from '../launcher.ts';
import type { BotLauncher, ClusterState, LaunchSpec, ObservedRun, RunEvidence, StartObstacle } from '../launcher.ts';
import { takesBots } from './cluster-settings.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { Context } from '../../schema/context.ts';

export interface Cluster extends Pick<ClusterSettings, 'name' | 'weight' | 'drain'> {
  readonly launcher: KubernetesBotLauncher;
}

export interface ClustersLauncherOptions extends Pick<Context, 'clock' | 'logger'> {
  /** At least one, with different names. */
  readonly clusters: readonly Cluster[];
  /** A launch without a response for this long closes its cluster until the response; default 5 s. */
  readonly responseMs?: number;
  /** A run that has not started is launched elsewhere when its cluster is unreachable for this long; default 20 s. */
  readonly lostAfterMs?: number;
  /** Clusters whose runs are not listed this long after the start are not waited for; default 10 s. */
  readonly firstListsMs?: number;
}

const pollMs = 100;

/** A cluster with what was last observed of it. */
interface Member extends Cluster {
  observed: readonly ObservedRun[];
  /** Runs of `observed` that have not ended; launches since then are added. */
  runs: number;
  room: number;
  obstructed: boolean;
  /** Launches whose response is overdue. */
  overdue: number;
  /** Monotonic; null: its API responds. */
  unreachableSinceMs: number | null;
}

/**
 * Distributes runs over clusters by weight. Each cluster has a launcher of its own, with its own pace, refusals and
 * watches: one that is full, refuses pods or does not respond delays no launch into the others. A run belongs to the
 * cluster that has its Job.
 */
export function createClustersLauncher(options: ClustersLauncherOptions): BotLauncher {
  return new ClustersLauncher(options);
}

class ClustersLauncher implements BotLauncher {
  readonly runsOutliveScheduler = true;
  readonly #options: Required<ClustersLauncherOptions>;
  readonly #members: readonly Member[];
  readonly #firstListsUntilMs: number;

  constructor(options: ClustersLauncherOptions) {
    this.#options = { responseMs: 5_000, lostAfterMs: 20_000, firstListsMs: 10_000, ...options };
    this.#firstListsUntilMs = options.clock.monotonic() + this.#options.firstListsMs;
    const start = { observed: [], runs: 0, room: 0, obstructed: false, overdue: 0, unreachableSinceMs: null };
    this.#members = options.clusters.map((cluster) => ({ ...cluster, ...start }));
  }

  pace(): StartPace {
    const taking = this.#members.filter(takesBots);
    const reachable = taking.filter(isReachable);
    const paces = (reachable.length > 0 ? reachable : taking).map(({ launcher }) => launcher.pace());
    const latenciesMs = paces.flatMap(({ startLatencyMs }) => startLatencyMs ?? []);
    return {
      perSecond: paces.reduce((sum, { perSecond }) => sum + perSecond, 0),
      startLatencyMs: latenciesMs.length === 0 ? null : Math.max(...latenciesMs),
    };
  }

  launchSlots(): number {
    for (const member of this.#members)
      member.room = takesBots(member) && member.overdue === 0 ? member.launcher.launchSlots() : 0;
    return this.#members.reduce((sum, { room }) => sum + room, 0);
  }

  refusal(): StartObstacle | null {
    const refusals = this.#members.filter(takesBots).map(refusalOf);
    return refusals.includes(null) ? null : (refusals[0] ?? null);
  }

  setLateRuns(names: readonly string[]): void {
    for (const { launcher } of this.#members) launcher.setLateRuns(names);
  }

  clusters(): readonly ClusterState[] {
    return this.#members.map((member) => ({
      name: member.name,
      weight: member.weight,
      drain: member.drain,
      reachable: isReachable(member),
      runs: member.runs,
      pending: member.observed.filter(({ state }) => state === 'pending').length,
      refusal: refusalOf(member),
      pace: member.launcher.pace(),
    }));
  }

  async launch(spec: LaunchSpec): Promise<void> {
    if (this.#holders(spec.name).length > 0) throw new RunExists(spec.name);
    await this.#firstLists();
    if (this.#members.every(({ room }) => room <= 0)) this.launchSlots();
    const left = new Set(this.#members);
    const failures: unknown[] = [];
    for (let member = chooseCluster([...left]); member !== undefined; member = chooseCluster([...left])) {
      left.delete(member);
      try {
        return await this.#launchIn(member, spec);
      } catch (error) {
        if (error instanceof RunExists) throw error;
        const { name: run, botId } = spec;
        this.#options.logger.warn({ err: error, cluster: member.name, run, botId }, 'A cluster did not accept a bot.');
        failures.push(error);
      }
    }
    const postponed = failures.find((failure) => failure instanceof LaunchPostponed);
    throw postponed ?? failures[0] ?? new LaunchPostponed(this.refusal() ?? noCluster);
  }

  /** Also resolves when the response is overdue: the run appears, or its launch counts as failed. */
  async #launchIn(member: Member, { name: run, botId, ...spec }: LaunchSpec): Promise<void> {
    const { clock, logger, responseMs } = this.#options;
    const fields = { cluster: member.name, run, botId };
    member.room -= 1;
    member.runs += 1;
    const launch = member.launcher.launch({ name: run, botId, ...spec });
    if (await doneWithin(launch, responseMs, clock)) return logger.info(fields, 'A bot is launched in this cluster.');
    logger.warn(fields, 'A cluster does not respond to a launch; it gets no bot until it does.');
    member.overdue += 1;
    member.room = 0;
    void launch
      .catch((error: unknown) => logger.warn({ err: error, ...fields }, 'A launch without a response failed.'))
      .finally(() => (member.overdue -= 1));
  }

  async observe(): Promise<ObservedRun[]> {
    await this.#firstLists();
    const listed = this.#members.filter(({ launcher }) => launcher.view() !== 'none');
    if (listed.length === 0) throw new Error('The Jobs of bots could not be listed yet in any cluster.');
    const nowMs = this.#options.clock.monotonic();
    for (const member of listed) await observe(member, nowMs);
    const runs = new Map<string, ObservedRun>();
    for (const member of listed)
      for (const run of member.observed)
        if ((runs.get(run.name)?.state ?? 'exited') === 'exited') runs.set(run.name, this.#placed(member, run, nowMs));
    return [...runs.values()];
  }

  /** One cluster that does not respond at the start must not stop the others. */
  async #firstLists(): Promise<void> {
    const { clock } = this.#options;
    while (this.#members.some(({ launcher }) => launcher.view() === 'none')) {
      if (clock.monotonic() >= this.#firstListsUntilMs) return;
      await clock.sleep(pollMs);
    }
  }

  /** A run with what its cluster means for it. */
  #placed(member: Member, run: ObservedRun, nowMs: number): ObservedRun {
    if (run.state === 'exited') return run;
    const { unreachableSinceMs, drain } = member;
    const isLost = unreachableSinceMs !== null && nowMs - unreachableSinceMs >= this.#options.lostAfterMs;
    const isStuck = run.state === 'pending' && (isLost || lacksNode(run.obstacle));
    const elsewhere = isStuck && this.#members.some((other) => other !== member && isOpen(other) && !other.obstructed);
    return {
      ...run,
      ...(unreachableSinceMs === null ? {} : { unreachable: true }),
      ...(elsewhere ? { elsewhere } : {}),
      ...(drain && run.state === 'running' ? { displaced: true } : {}),
    };
  }

  async withdraw(name: string): Promise<boolean> {
    for (const { launcher } of this.#holders(name).filter(isReachable)) if (await launcher.withdraw(name)) return true;
    return false;
  }

  async evidence(name: string): Promise<RunEvidence | null> {
    for (const { launcher } of this.#holders(name)) {
      const evidence = await launcher.evidence(name);
      if (evidence !== null) return evidence;
    }
    return null;
  }

  async stop(name: string, options: { readonly graceMs: number }): Promise<void> {
    const stopIn = async (member: Member): Promise<void> => {
      if (!isReachable(member)) throw new Error(`The cluster ${member.name} is unreachable.`);
      await member.launcher.stop(name, options);
    };
    await Promise.all(this.#holders(name).map(stopIn));
  }

  async forget(name: string): Promise<void> {
    for (const { launcher } of this.#holders(name).filter(isReachable)) await launcher.forget(name);
  }

  onChange(listener: () => void): () => void {
    const removals = this.#members.map(({ launcher }) => launcher.onChange(listener));
    return () => removals.forEach((remove) => remove());
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ launcher }) => launcher.close()));
  }

  /** One, unless an earlier launch of the same name was executed after it had counted as failed. */
  #holders(name: string): Member[] {
    return this.#members.filter(({ launcher }) => launcher.objectsOf(name) !== null);
  }
}

const noCluster: StartObstacle = { cause: 'api-unavailable', message: 'No cluster accepts bots now.' };

const isReachable = ({ launcher }: Cluster): boolean => launcher.view() === 'current';
const isOpen = (member: Member): boolean => takesBots(member) && isReachable(member) && member.overdue === 0;

/** Why a cluster takes no bots; null: it takes them. */
function refusalOf({ launcher, overdue, name }: Member): StartObstacle | null {
  const refusal = launcher.refusal();
  if (refusal !== null || overdue === 0) return refusal;
  return { cause: 'api-unavailable', message: `The cluster ${name} does not respond to a launch.` };
}

async function observe(member: Member, nowMs: number): Promise<void> {
  const { launcher } = member;
  member.observed = await launcher.observe();
  member.runs = member.observed.filter(({ state }) => state !== 'exited').length;
  member.obstructed = launcher.refusal() !== null || member.observed.some(({ obstacle }) => obstacle !== undefined);
  member.unreachableSinceMs = isReachable(member) ? null : (member.unreachableSinceMs ?? nowMs);
}

/** What decides where a run is launched. */
export interface Candidate {
  /** Share of the runs, relative to the other clusters; 0: none. */
  readonly weight: number;
  /** Runs that have not ended. */
  readonly runs: number;
  /** Launches that may begin now. */
  readonly room: number;
  /** Runs that it accepted do not start, or it refuses their pods. */
  readonly obstructed: boolean;
}

/**
 * The cluster with the fewest runs for its weight, of those that have room; obstructed ones only when all others have
 * none. Undefined: none has room. Pure.
 */
export function chooseCluster<T extends Candidate>(clusters: readonly T[]): T | undefined {
  const open = clusters.filter(({ weight, room }) => weight > 0 && room > 0);
  const free = open.filter(({ obstructed }) => !obstructed);
  const load = ({ runs, weight }: Candidate): number => (runs + 1) / weight;
  return (free.length > 0 ? free : open).toSorted((one, other) => load(one) - load(other))[0];
}
