import { readFile } from 'node:fs/promises';
import { cpus, setPriority } from 'node:os';
import { join } from 'node:path';
import type { SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import type { PlatformName } from '@rapporteur/simulator/platforms';
import { machine } from '../measure/figures.ts';
import { openStage } from './bench-room.ts';
import type { BenchRoomOptions, Stage } from './bench-room.ts';
import { contendersOf } from './contenders.ts';
import type { Contender } from './contenders.ts';
import type { View, Strategy } from './our-bot.ts';
import { growthTable } from './growth.ts';
import { attempt, inWords, takeOf } from './recorder.ts';
import type { Take } from './take.ts';

export interface SizingBench extends Pick<BenchRoomOptions, 'codec'> {
  /** The platforms of the bots, in turn; with several, one bot alone is not measured. */
  readonly platforms: readonly PlatformName[];
  readonly minutes: number;
  readonly views: readonly View[];
  readonly strategy: Strategy;
  /** Number of concurrent bots, measured after one alone. */
  readonly atOnce: number;
  /** Folder where recordings are kept for analysis; null: none is kept. */
  readonly keep: string | null;
  readonly say: (text: string) => void;
}

const roomPriority = -10;

/** Cores and memory of one bot, alone and beside others on this machine, for each view. */
export async function measureSizing(bench: SizingBench): Promise<boolean> {
  const { minutes, views, strategy, atOnce, say } = bench;
  const stage = await openStage('sizing');
  const rows: string[] = [];
  let right = true;
  try {
    say(machine());
    // Real participants send from other machines: bots that starve must not starve the room.
    if (process.getuid?.() === 0) setPriority(roomPriority);
    const places = await Promise.all(Array.from({ length: atOnce }, () => stage.meetings()));
    for (const view of views) {
      const contender = contendersOf([view], [strategy]).find(({ kind }) => kind === 'ours');
      if (contender === undefined) continue;
      for (const bots of bench.platforms.length > 1 ? [atOnce] : [1, atOnce]) {
        const taken = await takesOf(contender, stage, places.slice(0, bots), bench);
        for (const { platform, take, integrity } of taken) {
          say(`${platform}, ${view}, ${bots} at once: ${typeof take === 'string' ? take : inWords(take)}`);
          if (typeof take !== 'string') for (const line of growthTable(take, platform)) say(line);
          if (integrity !== null) say(`Its integrity report: ${integrity}`);
        }
        right &&= taken.every(({ take }) => typeof take !== 'string' && take.refusals.length === 0);
        rows.push(
          sizingRow(
            view,
            bots,
            taken.map(({ take }) => take),
          ),
        );
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

interface TakenBeside {
  readonly platform: PlatformName;
  /** A text: the reason why there is none. */
  readonly take: Take | string;
  /** JSON of what the bot's integrity report says besides files and costs. */
  readonly integrity: string | null;
}

async function takesOf(
  contender: Contender,
  stage: Stage,
  places: readonly SimulatedMeetings[],
  { platforms, codec, minutes, keep }: SizingBench,
): Promise<TakenBeside[]> {
  return await Promise.all(
    places.map(async (meetings, index) => {
      const platform = platforms[index % platforms.length] ?? 'meet';
      const folder = join(keep ?? stage.folder, `${places.length}-at-once-${index + 1}-${platform}`);
      const place = { stage, meetings, folder, platform, codec, seconds: minutes * 60 };
      const take = await attempt(() => takeOf(contender, place));
      return { platform, take, integrity: await integrityIn(folder) };
    }),
  );
}

export async function integrityIn(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'integrity.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  return JSON.stringify({ ...(JSON.parse(text) as object), files: undefined, resourceUsage: undefined });
}
