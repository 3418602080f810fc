import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingReport } from '@rapporteur/recording-check';
import { CostMeter } from '../measure/cost-meter.ts';
import type { MemorySample } from '../measure/cost-meter.ts';
import { endWithProgram } from '../measure/leftovers.ts';
import { judgeTake } from './judge-take.ts';
import type { Recorded } from './recorded.ts';

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
  /** Of those, by kind of process; most first. Processes that ended meanwhile are in none. */
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
    await bot.untilRecording();
    const setupMs = await meter.cpuMs();
    await sleep(settleMs);
    const [fromMs, before, kindsBefore] = [Date.now(), await meter.cpuMs(), await meter.cpuMsByKind()];
    await sleep(options.seconds * 1_000);
    const [untilMs, after, kindsAfter] = [Date.now(), await meter.cpuMs(), await meter.cpuMsByKind()];
    const load = loadavg()[0] ?? 0;
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
