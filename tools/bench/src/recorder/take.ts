import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingReport } from '@rapporteur/recording-check';
import { sumCpuMs } from '@rapporteur/process-identity';
import { endWithProgram } from '../measure/leftovers.ts';
import { openCpuCgroup } from '../measure/cgroup.ts';
import type { Cgroup } from '../measure/cgroup.ts';
import { killNow, memoryOf, processTree, readProcesses } from '../measure/process-tree.ts';
import type { TreeProcess } from '../measure/process-tree.ts';
import type { Sample } from '../measure/slope.ts';
import { judgeTake } from './judge-take.ts';
import type { Recorded } from './recorded.ts';

interface MemorySample {
  /** Epoch ms. */
  readonly atMs: number;
  /** MB of each kind of process: its proportional share, and its anonymous memory. */
  readonly byKind: Readonly<Record<string, number>>;
  readonly ownByKind: Readonly<Record<string, number>>;
}

const sampleEveryMs = 1_000;

/** The cost of one tree of processes. Read its CPU time while it runs; where there are cgroups, also afterwards. */
export class CostMeter {
  readonly #root: number;
  readonly #cgroup: Cgroup | null;
  readonly #stopped = new AbortController();
  readonly #sampling: Promise<void>;
  readonly samples: MemorySample[] = [];

  private constructor(root: number, cgroup: Cgroup | null) {
    this.#root = root;
    this.#cgroup = cgroup;
    this.#sampling = this.#sample();
  }

  /** Call right after the process was started: earlier children are not in the cgroup. */
  static async begin(pid: number): Promise<CostMeter> {
    const cgroup = await openCpuCgroup(`rapporteur-bench-${process.pid}-${pid}`);
    await cgroup?.add(pid);
    return new CostMeter(pid, cgroup);
  }

  /** Limits the tree to so many cores; null: no limit. @throws Error where there are no cgroups */
  async limitCpu(cores: number | null): Promise<void> {
    if (this.#cgroup === null) throw new Error('CPU can be limited only where this user can create cgroups.');
    await this.#cgroup.limitCpu(cores);
  }

  /** `cgroup` counts everything; `proc` misses processes that ended without being waited for. */
  get source(): 'cgroup' | 'proc' {
    return this.#cgroup === null ? 'proc' : 'cgroup';
  }

  async cpuMs(): Promise<number> {
    return this.#cgroup === null ? sumCpuMs(await processTree(this.#root)) : await this.#cgroup.cpuMs();
  }

  /** CPU time of the processes that live now, by what they are for. */
  async cpuMsByKind(): Promise<Record<string, number>> {
    const byKind: Record<string, number> = {};
    for (const { kind, cpuMs } of await this.#processes()) byKind[kind] = (byKind[kind] ?? 0) + cpuMs;
    return byKind;
  }

  async #processes(): Promise<TreeProcess[]> {
    return await (this.#cgroup === null ? processTree(this.#root) : this.#cgroup.pids().then(readProcesses));
  }

  /** MB of the whole tree, sampled each second. */
  totals({ fromMs = 0, untilMs = Infinity } = {}): Sample[] {
    return this.samples
      .filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
      .map(({ atMs, byKind }) => ({ at: atMs, value: Object.values(byKind).reduce((sum, one) => sum + one, 0) }));
  }

  /** After the tree has ended: kills orphaned processes of it. Safe twice. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#sampling;
    for (const pid of (await this.#cgroup?.pids().catch(() => [])) ?? []) killNow(pid);
    await this.#cgroup?.remove();
  }

  async #sample(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const tree = await this.#processes();
      const sizes = await Promise.all(tree.map(({ pid }) => memoryOf(pid)));
      const byKind: Record<string, number> = {};
      const ownByKind: Record<string, number> = {};
      for (const [index, { kind }] of tree.entries()) {
        byKind[kind] = (byKind[kind] ?? 0) + (sizes[index]?.pssMb ?? 0);
        ownByKind[kind] = (ownByKind[kind] ?? 0) + (sizes[index]?.ownMb ?? 0);
      }
      this.samples.push({ atMs: Date.now(), byKind, ownByKind });
      await sleep(sampleEveryMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    }
  }
}

/** A bot of either kind, seen from outside. */
export interface Bot {
  /** The first process of its tree. */
  readonly pid: number;
  readonly folder: string;
  /** Rejects when it does not start to record. */
  untilRecording(): Promise<void>;
  /** Ends in order and returns the recording; null: none was expected. */
  finish(): Promise<Recorded | null>;
  /** Ends all remaining processes. Safe at any time. */
  clear(): Promise<void>;
}

/** One measured recording. */
export interface Take {
  /** CPU-seconds per recorded minute. */
  readonly cpuPerMinute: number;
  /** CPU time by kind of process; most first. Processes that ended meanwhile are in none. */
  readonly cpuByKind: readonly (readonly [kind: string, seconds: number])[];
  /** CPU-seconds until the recording began. */
  readonly setupCpu: number;
  /** CPU-seconds from the request to leave until its end; null without a cgroup. */
  readonly endCpu: number | null;
  readonly peakPssMb: number;
  /** At that moment, the kinds of processes by memory, most first. */
  readonly peakByKind: readonly (readonly [kind: string, mb: number])[];
  readonly samples: readonly MemorySample[];
  /** Epoch ms between which it was measured. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly load: number;
  readonly counted: 'cgroup' | 'proc';
  /** 0 to 1; null without video. */
  readonly frameShare: number | null;
  /** Null where nothing was recorded. */
  readonly report: RecordingReport | null;
  readonly captureStrategies: readonly string[];
  /** The reasons to discard its figures; empty: they count. */
  readonly refusals: readonly string[];
}

export interface TakeOptions {
  readonly seconds: number;
  readonly framesPerSecond: number;
  readonly loopSeconds: number;
  /** Cores of the bot from its start until it is requested to leave; null: as many as there are. */
  readonly cores: number | null;
  start(): Promise<Bot>;
}

/** One-time work after the start is not part of a recorded minute. */
const settleMs = 3_000;

const nothing = { report: null, frameShare: null, refusals: [] } as const;

/** Lets a bot record for so long, measures its cost, and checks its recording. */
export async function takeRecording(options: TakeOptions): Promise<Take> {
  const bot = await options.start();
  const clear = endWithProgram(() => bot.clear());
  const meter = await CostMeter.begin(bot.pid);
  const stop = endWithProgram(() => meter.stop());
  try {
    if (options.cores !== null) await meter.limitCpu(options.cores);
    await bot.untilRecording();
    const setupMs = await meter.cpuMs();
    await sleep(settleMs);
    const [fromMs, before, kindsBefore] = [Date.now(), await meter.cpuMs(), await meter.cpuMsByKind()];
    await sleep(options.seconds * 1_000);
    const [untilMs, after, kindsAfter] = [Date.now(), await meter.cpuMs(), await meter.cpuMsByKind()];
    const load = loadavg()[0] ?? 0;
    if (options.cores !== null) await meter.limitCpu(null);
    const recorded = await bot.finish();
    const endMs = meter.source === 'cgroup' ? (await meter.cpuMs()) - after : null;
    const judged = recorded === null ? nothing : await judgeTake(recorded, options);
    return {
      cpuPerMinute: ((after - before) / (untilMs - fromMs)) * 60,
      cpuByKind: Object.entries(kindsAfter)
        .map(([kind, ms]) => [kind, ((ms - (kindsBefore[kind] ?? 0)) / (untilMs - fromMs)) * 60] as const)
        .sort(([, left], [, right]) => right - left),
      setupCpu: setupMs / 1_000,
      endCpu: endMs === null ? null : endMs / 1_000,
      ...peakOf(meter, fromMs, untilMs),
      samples: meter.samples,
      fromMs,
      untilMs,
      load,
      counted: meter.source,
      captureStrategies: recorded?.captureStrategies ?? [],
      ...judged,
    };
  } finally {
    await clear();
    await stop();
  }
}

function peakOf(meter: CostMeter, fromMs: number, untilMs: number): Pick<Take, 'peakPssMb' | 'peakByKind'> {
  const totals = meter.totals({ fromMs, untilMs });
  const peak = totals.reduce((most, one) => (one.value > most.value ? one : most), { at: 0, value: 0 });
  const byKind = meter.samples.find(({ atMs }) => atMs === peak.at)?.byKind ?? {};
  return { peakPssMb: peak.value, peakByKind: Object.entries(byKind).sort(([, left], [, right]) => right - left) };
}
