import { join } from 'node:path';
import { machine } from '../measure/figures.ts';
import { openStage } from './bench-room.ts';
import { contendersOf } from './contenders.ts';
import { attempt, bringFieldPrograms, inWords, takeOf } from './recorder.ts';
import { integrityIn } from './sizing.ts';
import type { SizingBench } from './sizing.ts';
import type { Take } from './take.ts';

export interface LimitedBench extends Omit<SizingBench, 'atOnce'> {
  /** Cores, each in turn. */
  readonly limits: readonly number[];
}

/** Audio that is missing or impaired, by the integrity report. */
interface ReportedSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** A beep is this long after its second, and the report's spans are of packets and batches. */
const slackMs = 1_000;

/**
 * What a bot records with less CPU than it needs, beside the reference bot under the same limit (cgroup, from the start
 * of the bot until it is requested to leave). @returns false where one of our bots recorded nothing
 */
export async function measureLimited(bench: LimitedBench): Promise<boolean> {
  const { platforms, views, limits, strategy, minutes, codec, say } = bench;
  bringFieldPrograms(say);
  const stage = await openStage('limited');
  const rows: string[] = [];
  let recorded = true;
  try {
    say(machine());
    const meetings = await stage.meetings();
    for (const platform of platforms)
      for (const cores of limits)
        for (const contender of contendersOf(views, [strategy]).filter(({ kind }) => kind !== 'attends')) {
          const folder = join(
            bench.keep ?? stage.folder,
            `${platform}-${cores}-${contender.name.replace(/\W+/g, '-')}`,
          );
          const place = { stage, meetings, folder, platform, codec, cores, seconds: minutes * 60 };
          const take = await attempt(() => takeOf(contender, place));
          const integrity = contender.kind === 'ours' ? await integrityIn(folder) : null;
          say(`${platform}, ${cores} cores, ${contender.name}: ${typeof take === 'string' ? take : inWords(take)}`);
          if (integrity !== null) say(`Its integrity report: ${integrity}`);
          recorded &&= contender.kind !== 'ours' || typeof take !== 'string';
          rows.push(limitedRow([platform, String(cores), contender.name], take, integrity));
        }
    for (const line of ['', ...limitedHead, ...rows, '']) say(line);
    say(machine());
    return recorded;
  } finally {
    await stage.stop();
  }
}

const limitedHead = [
  '| platform | cores | bot | frames | beeps missing | not in a reported span | audio late, ms | used cores | start, CPU-s | load average |',
  '|---|---|---|---|---|---|---|---|---|---|',
] as const;

type LimitedFigures = Pick<Take, 'cpuPerMinute' | 'setupCpu' | 'frameShare' | 'load' | 'report'>;

function limitedRow(names: readonly string[], take: LimitedFigures | string, integrity: string | null): string {
  if (typeof take === 'string') return `| ${names.join(' | ')} | ${take.split('\n')[0]} | | | | | | |`;
  const { report, frameShare, cpuPerMinute, setupCpu, load } = take;
  const { beeps, beepsMs, audioMs, offset } = report ?? { beeps: null, beepsMs: [], audioMs: 0, offset: null };
  type Spans = { gaps?: ReportedSpan[]; audioImpaired?: ReportedSpan[] | null };
  const { gaps = [], audioImpaired } = JSON.parse(integrity ?? '{}') as Spans;
  const spans = [...gaps, ...(audioImpaired ?? [])];
  const cells = [
    ...names,
    frameShare === null ? 'no video' : `${(frameShare * 100).toFixed(1)} %`,
    beeps === null ? 'all' : `${beeps.missing} of ${beeps.found + beeps.missing}`,
    integrity === null ? '' : String(unreportedSeconds(beepsMs, audioMs, spans)),
    String(offset?.medianMs ?? ''),
    (cpuPerMinute / 60).toFixed(2),
    setupCpu.toFixed(1),
    load.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Seconds between two beeps that have none, outside of the reported spans. */
function unreportedSeconds(beepsMs: readonly number[], audioMs: number, spans: readonly ReportedSpan[]): number {
  const edges = [...beepsMs, audioMs];
  return edges.slice(1).reduce((count, atMs, index) => {
    const fromMs = edges[index] ?? 0;
    const missing = Math.max(0, Math.round((atMs - fromMs) / 1_000) - 1);
    const seconds = Array.from({ length: missing }, (_, nth) => fromMs + (nth + 1) * 1_000);
    const inSpan = (ms: number): boolean =>
      spans.some(({ startMs, endMs }) => ms >= startMs - slackMs && ms <= endMs + slackMs);
    return count + seconds.filter((ms) => !inSpan(ms)).length;
  }, 0);
}
