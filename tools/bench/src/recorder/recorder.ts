import { join, delimiter } from 'node:path';
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import type { RecordingReport } from '@rapporteur/recording-check';
import { machine, spreadOf, reported } from '../measure/figures.ts';
import { openRoom, openStage, roomRate } from './bench-room.ts';
import type { BenchRoomOptions, Stage } from './bench-room.ts';
import { contendersOf } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { startFieldBot } from './field-strategy.ts';
import { joinUrlOf, startOurBot } from './our-bot.ts';
import type { View, Strategy } from './our-bot.ts';
import { takeRecording } from './take.ts';
import type { Bot, Take } from './take.ts';

export interface RecorderBench extends Pick<BenchRoomOptions, 'codec' | 'platform'> {
  readonly minutes: number;
  readonly rounds: number;
  readonly views: readonly View[];
  readonly captureStrategies: readonly Strategy[];
  /** Folder where recordings are kept for analysis; null: none is kept. */
  readonly keep: string | null;
  readonly say: (text: string) => void;
}

/** Approximate time to start, end and decode one recording. */
const besidesSeconds = 25;

/**
 * The cost of a recorded minute, ours against the reference bot, alternating on the same simulated meeting.
 * @returns false when a recording was not valid, so that there are no figures
 */
export async function measureRecorder(bench: RecorderBench): Promise<boolean> {
  const { say } = bench;
  bringFieldPrograms(say);
  const contenders = contendersOf(bench.views, bench.captureStrategies);
  const stage = await openStage('recorder');
  const rounds: Round[] = [];
  try {
    say(machine());
    const takes = contenders.length * bench.rounds;
    say(
      `${takes} recordings, about ${Math.ceil((takes * (bench.minutes * 60 + besidesSeconds)) / 60)} minutes in all.`,
    );
    const meetings = await stage.meetings();
    for (let number = 1; number <= bench.rounds; number += 1) {
      const round = new Map<string, Figures | string>();
      rounds.push(round);
      for (const contender of contenders) {
        const folder = join(bench.keep ?? stage.folder, `${number}-${contender.name.replace(/\W+/g, '-')}`);
        const place = {
          stage,
          meetings,
          folder,
          seconds: bench.minutes * 60,
          codec: bench.codec,
          platform: bench.platform,
        };
        const taken = await attempt(() => takeOf(contender, place));
        round.set(contender.name, taken);
        say(`round ${number}, ${contender.name}: ${typeof taken === 'string' ? taken : inWords(taken)}`);
      }
    }
    const { rows, refused } = compare(contenders, rounds);
    say(
      `\nMiddle of ${bench.rounds} rounds of ${bench.minutes} min each (lowest to highest), ${bench.platform}, video sent as ${bench.codec}:\n`,
    );
    for (const line of [...rows, '', ...refused]) say(line);
    say(machine());
    return refused.length === 0;
  } finally {
    await stage.stop();
  }
}

export interface Place extends BenchRoomOptions {
  readonly stage: Stage;
  readonly meetings: SimulatedMeetings;
  /** The folder of what is recorded. */
  readonly folder: string;
  /** Limit of the bot's CPU; omitted: none. */
  readonly cores?: number;
}

/** One recording by a contender in a meeting of its own. */
export async function takeOf(contender: Contender, place: Place): Promise<Take> {
  const { meetings, seconds, cores = null } = place;
  try {
    return await takeRecording({ ...roomRate, seconds, cores, start: () => startBot(contender, place) });
  } finally {
    await meetings.clear();
  }
}

async function startBot({ ours, kind, audio }: Contender, place: Place): Promise<Bot> {
  const { stage, meetings, folder, platform } = place;
  const meeting = await openRoom(meetings, place);
  if (ours !== null) return await startOurBot(meeting, { ...ours, platform, folder, runner: stage.runner });
  const { hostResolverRules, certificateSpki } = stage.simulator;
  return await startFieldBot({
    platform,
    url: joinUrlOf(meeting, platform),
    hostResolverRules,
    certificateSpki,
    folder,
    ...(kind === 'attends'
      ? { mode: 'attend', file: '' }
      : audio === 'alone'
        ? { mode: 'audio', file: join(folder, 'audio.m4a') }
        : { mode: 'video', file: join(folder, 'video.mp4') }),
  });
}

/** The work's result, or the reason why there is none. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return (error as Error).message;
  }
}

/** Its figures, and the reasons why they do not count. */
export function inWords(take: Take): string {
  const { cpuPerMinute, cpuByKind, peakPssMb, peakByKind, setupCpu, endCpu, frameShare, report } = take;
  const { load, captureStrategies, refusals, counted } = take;
  const parts = [
    `${cpuPerMinute.toFixed(2)} CPU-s per minute (by ${counted}; ${shares(cpuByKind, 1)})`,
    `peak ${peakPssMb.toFixed(0)} MB (${shares(peakByKind, 0)})`,
    `start ${setupCpu.toFixed(1)} CPU-s`,
    endCpu === null ? 'end not known' : `end ${endCpu.toFixed(1)} CPU-s`,
    frameShare === null ? 'no video' : `${(frameShare * 100).toFixed(1)} % of the frames`,
    ...(report === null ? [] : reportInWords(report)),
    captureStrategies.join(', '),
    `load average ${load.toFixed(1)}`,
    ...refusals.map((refusal) => `REFUSED: ${refusal}`),
  ];
  return parts.filter((part) => part !== null).join('; ');
}

function reportInWords({ file, offset, beeps }: RecordingReport): (string | null)[] {
  return [
    file.video === null ? null : `${file.video.width}x${file.video.height}`,
    offset.medianMs === null ? null : `audio ${offset.medianMs} ms late`,
    `${beeps?.missing ?? 'all'} beeps missing`,
  ];
}

function shares(byKind: readonly (readonly [kind: string, value: number])[], digits: number): string {
  return byKind.map(([kind, value]) => `${kind} ${value.toFixed(digits)}`).join(', ');
}

/** Debian packages that only the reference bot needs, each with a program that proves its installation. */
const packages = [
  { name: 'xvfb', program: 'Xvfb' },
  { name: 'pulseaudio', program: 'pulseaudio' },
] as const;

/** Installs the programs of the reference bot. @throws Error that lists what to install where this user may not */
export function bringFieldPrograms(say: (text: string) => void): void {
  const missing = packages.filter(({ program }) => !isThere(program)).map(({ name }) => name);
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const sudo = elevation();
  if (sudo !== null) {
    say(`Installing ${missing.join(' and ')}, once: only this measurement needs them.`);
    apt(sudo, ['update', '-qq']);
    apt(sudo, [...command.split(' ').slice(1), '-qq']);
  }
  if (packages.some(({ program }) => !isThere(program)))
    throw new Error(
      `The reference bot needs ${missing.join(' and ')}. Install them, then run this again:\n  sudo apt-get update && sudo ${command}`,
    );
}

function isThere(program: string): boolean {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The prefix of `apt-get`: none as root, sudo without a password, else null. */
function elevation(): string[] | null {
  if (!isThere('apt-get')) return null;
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : null;
}

function apt(sudo: readonly string[], parameters: readonly string[]): void {
  const [program = '', ...rest] = [...sudo, 'apt-get', ...parameters];
  spawnSync(program, rest, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
    timeout: 300_000,
  });
}

/** The part of a take that the tables need. */
export type Figures = Pick<
  Take,
  'cpuPerMinute' | 'setupCpu' | 'endCpu' | 'peakPssMb' | 'frameShare' | 'captureStrategies' | 'refusals' | 'load'
>;

/** One round's takes, by contender's name. A failed contender has its error message instead. */
export type Round = ReadonlyMap<string, Figures | string>;

interface Comparison {
  readonly rows: readonly string[];
  /** One sentence for each take without a figure. */
  readonly refused: readonly string[];
}

const head = [
  '| way | CPU-s per recorded minute | of the field | goal | peak PSS, MB | of the field | goal | frames | start, CPU-s | end, CPU-s | rounds |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
];

/** Ratios are those of one round's pair, and only of pairs with two valid recordings. */
export function compare(contenders: readonly Contender[], rounds: readonly Round[]): Comparison {
  const refused: string[] = [];
  const rows = contenders.map((contender) => {
    const takes: Figures[] = [];
    const pairs: { ours: Figures; field: Figures }[] = [];
    const reference = contenders.find(({ kind, audio }) => kind === 'reference' && audio === contender.audio);
    rounds.forEach((round, index) => {
      const take = round.get(contender.name);
      if (take === undefined) return;
      const why = whyNot(take);
      if (why !== null) return void refused.push(`Round ${index + 1}, ${contender.name}: no figure. ${why}`);
      takes.push(take as Figures);
      const field = round.get(reference?.name ?? '');
      if (contender.kind !== 'reference' && field !== undefined && whyNot(field) === null)
        pairs.push({ ours: take as Figures, field: field as Figures });
    });
    return rowOf(contender, takes, pairs);
  });
  return { rows: [...head, ...rows], refused };
}

function whyNot(take: Figures | string): string | null {
  if (typeof take === 'string') return take;
  return take.refusals.length === 0 ? null : take.refusals.join(' ');
}

function rowOf(
  { name, kind, goals }: Contender,
  takes: readonly Figures[],
  pairs: readonly { ours: Figures; field: Figures }[],
): string {
  if (takes.length === 0) return `| ${name} | no figure |  |  |  |  |  |  |  |  | 0 |`;
  const of = (pick: (take: Figures) => number | null, digits: number): string => {
    const figures = takes.map(pick).filter((figure) => figure !== null);
    return figures.length === 0 ? '' : reported(figures, digits);
  };
  const ratio = (pick: (take: Figures) => number, goal: number | undefined): string[] => {
    if (kind === 'reference') return ['1', ''];
    if (pairs.length === 0) return ['no pair', ''];
    const ratios = pairs.map(({ ours, field }) => pick(ours) / pick(field));
    if (goal === undefined) return [reported(ratios), ''];
    return [reported(ratios), `≤ ${goal.toFixed(2)}: ${spreadOf(ratios).median <= goal ? 'met' : 'missed'}`];
  };
  const used = [...new Set(takes.flatMap(({ captureStrategies }) => captureStrategies))].join(', ');
  const cells = [
    goals === null ? name : `${name} (${used})`,
    of(({ cpuPerMinute }) => cpuPerMinute, 2),
    ...ratio(({ cpuPerMinute }) => cpuPerMinute, goals?.cpu),
    of(({ peakPssMb }) => peakPssMb, 0),
    ...ratio(({ peakPssMb }) => peakPssMb, goals?.pss),
    of(({ frameShare }) => (frameShare === null ? null : frameShare * 100), 1),
    of(({ setupCpu }) => setupCpu, 1),
    of(({ endCpu }) => endCpu, 1),
    String(takes.length),
  ];
  return `| ${cells.join(' | ')} |`;
}
