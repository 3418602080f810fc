import { join } from 'node:path';
import { machine } from '../measure/figures.ts';
import { slopeOf } from '../measure/slope.ts';
import type { Sample } from '../measure/slope.ts';
import { openStage } from './bench-room.ts';
import type { BenchRoomOptions } from './bench-room.ts';
import { contendersOf } from './contenders.ts';
import type { View, Strategy } from './our-bot.ts';
import { takeOf } from './recorder.ts';
import type { Take } from './take.ts';

export interface GrowthBench extends Pick<BenchRoomOptions, 'codec' | 'platform'> {
  /** Recorded in real time. */
  readonly minutes: number;
  readonly view: View;
  readonly strategy: Strategy;
  readonly say: (text: string) => void;
}

export const growthGoal = 0.5;
/** Warm-up time of caches and compilation. */
const warmUpMs = 120_000;
const windowMs = 60_000;

/**
 * Whether one bot's memory grows while it records.
 * @returns false when the recording was not valid
 */
export async function measureGrowth({ minutes, view, strategy, codec, platform, say }: GrowthBench): Promise<boolean> {
  const stage = await openStage('growth');
  try {
    say(machine());
    const contender = contendersOf([view], [strategy]).find(({ kind }) => kind === 'ours');
    if (contender === undefined) throw new Error(`${view} has no way "${strategy}".`);
    const meetings = await stage.meetings();
    const take = await takeOf(contender, {
      stage,
      meetings,
      codec,
      platform,
      seconds: minutes * 60,
      folder: join(stage.folder, 'recorded'),
    });
    for (const line of growthTable(take, `${contender.name} (${take.captureStrategies.join(', ')})`)) say(line);
    for (const refusal of take.refusals) say(`REFUSED: ${refusal}`);
    say(machine());
    return take.refusals.length === 0;
  } finally {
    await stage.stop();
  }
}

/** MB per recorded minute, of the whole and of each kind of process, with the memory at both ends. */
export function growthTable(
  { samples, fromMs, untilMs }: Pick<Take, 'samples' | 'fromMs' | 'untilMs'>,
  name: string,
): string[] {
  // A short run has no time to warm up, as its length shows.
  const beginMs = untilMs - fromMs > 2 * warmUpMs ? fromMs + warmUpMs : fromMs;
  const counted = samples.filter(({ atMs }) => atMs >= beginMs && atMs <= untilMs);
  const kinds = [...new Set(counted.flatMap(({ byKind }) => Object.keys(byKind)))].sort();
  const seriesOf = (kind: string | null, share: 'byKind' | 'ownByKind' = 'byKind'): Sample[] =>
    counted.map((sample) => ({
      at: sample.atMs / 60_000,
      value:
        kind === null ? Object.values(sample[share]).reduce((sum, one) => sum + one, 0) : (sample[share][kind] ?? 0),
    }));
  const rowOf = (kind: string | null): string => {
    const series = seriesOf(kind);
    const slopes = [series, seriesOf(kind, 'ownByKind')].map((one) => slopeOf(one)?.toFixed(2) ?? 'no figure');
    const middle = (part: readonly Sample[]): number =>
      part.map(({ value }) => value).sort((left, right) => left - right)[Math.floor(part.length / 2)] ?? 0;
    const edge = Math.ceil(windowMs / 60_000 / 2 + series.length / 20);
    const ends = [middle(series.slice(0, edge)), middle(series.slice(-edge))].map((value) => value.toFixed(1));
    return `| ${kind ?? '**whole tree**'} | ${[...slopes, ...ends].join(' | ')} |`;
  };
  const slope = slopeOf(seriesOf(null));
  const minutes = ((untilMs - beginMs) / 60_000).toFixed(1);
  return [
    `${name}: PSS over ${minutes} recorded minutes${beginMs > fromMs ? `, after ${warmUpMs / 60_000} of warming up` : ', warming up included'}; ${counted.length} samples.`,
    '',
    '| processes | MB per recorded minute | of that no files | MB at first | MB at last |',
    '|---|---|---|---|---|',
    ...[null, ...kinds].map(rowOf),
    '',
    beginMs === fromMs
      ? 'Too short for its goal: memory still warms up.'
      : `Goal ≤ ${growthGoal}: ${slope !== null && slope <= growthGoal ? 'met' : 'missed'}`,
  ];
}
