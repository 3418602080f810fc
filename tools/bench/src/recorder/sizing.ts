import { cpus } from 'node:os';
import { join } from 'node:path';
import type { SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import { machine } from '../measure/figures.ts';
import { openStage } from './bench-room.ts';
import type { RoomWish, Stage } from './bench-room.ts';
import { contendersOf } from './contenders.ts';
import type { Contender } from './contenders.ts';
import type { View, Strategy } from './our-bot.ts';
import { attempt, takeOf } from './recorder.ts';
import type { Take } from './take.ts';

export interface SizingBench extends Pick<RoomWish, 'codec' | 'platform'> {
  readonly minutes: number;
  readonly views: readonly View[];
  readonly strategy: Strategy;
  /** Number of concurrent bots, measured after one alone. */
  readonly atOnce: number;
  readonly say: (text: string) => void;
}

/** Cores and memory of one bot, alone and beside others on this machine, for each view. */
export async function measureSizing(bench: SizingBench): Promise<boolean> {
  const { minutes, views, strategy, atOnce, say } = bench;
  const stage = await openStage('sizing');
  const rows: string[] = [];
  let right = true;
  try {
    say(machine());
    const places = await Promise.all(Array.from({ length: atOnce }, () => stage.meetings()));
    for (const view of views) {
      const contender = contendersOf([view], [strategy]).find(({ kind }) => kind === 'ours');
      if (contender === undefined) continue;
      for (const bots of [1, atOnce]) {
        const taken = await takesOf(contender, stage, places.slice(0, bots), {
          seconds: minutes * 60,
          codec: bench.codec,
          platform: bench.platform,
        });
        for (const take of taken) {
          const refusals = typeof take === 'string' ? [take] : take.refusals;
          for (const refusal of refusals) say(`${view}, ${bots} at once: ${refusal}`);
          right &&= refusals.length === 0;
        }
        rows.push(sizingRow(view, bots, taken));
        say(rows.at(-1) ?? '');
      }
    }
    say(
      `\n${minutes} min each on ${cpus().length} cores; the simulated participants run beside the bots and are not counted:\n`,
    );
    for (const line of [...sizingHead, ...rows, '']) say(line);
    say(machine());
    return right;
  } finally {
    await stage.stop();
  }
}

export const sizingHead = [
  '| view | bots at once | cores per bot | peak PSS per bot, MB | frames of each | CPU-s to start | load average | right |',
  '|---|---|---|---|---|---|---|---|',
] as const;

export type SizingFigures = Pick<
  Take,
  'cpuPerMinute' | 'peakPssMb' | 'frameShare' | 'setupCpu' | 'load' | 'refusals' | 'captureStrategies'
>;

export function sizingRow(view: View, bots: number, taken: readonly (SizingFigures | string)[]): string {
  const takes = taken.filter((take) => typeof take !== 'string');
  const each = (pick: (take: SizingFigures) => string): string => takes.map(pick).join(' and ');
  const wrong = taken.filter((take) => typeof take === 'string' || take.refusals.length > 0).length;
  const cells = [
    `${view} (${[...new Set(takes.flatMap(({ captureStrategies }) => captureStrategies))].join(', ')})`,
    bots,
    each(({ cpuPerMinute }) => (cpuPerMinute / 60).toFixed(2)),
    each(({ peakPssMb }) => peakPssMb.toFixed(0)),
    each(({ frameShare }) => (frameShare === null ? 'no picture' : `${(frameShare * 100).toFixed(1)} %`)),
    each(({ setupCpu }) => setupCpu.toFixed(1)),
    Math.max(0, ...takes.map(({ load }) => load)).toFixed(1),
    wrong === 0 ? 'yes' : `${wrong} of ${taken.length} not`,
  ];
  return `| ${cells.join(' | ')} |`;
}

async function takesOf(
  contender: Contender,
  stage: Stage,
  places: readonly SimulatedMeetings[],
  wish: RoomWish,
): Promise<(Take | string)[]> {
  return await Promise.all(
    places.map((meetings) => {
      const folder = join(stage.folder, `recorded-${crypto.randomUUID()}`);
      return attempt(() => takeOf(contender, { stage, meetings, folder, ...wish }));
    }),
  );
}
