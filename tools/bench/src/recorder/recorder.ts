import { join } from 'node:path';
import type { SimulatedMeetings } from '@rapporteur/bot-runner/testing';
import type { RecordingReport } from '@rapporteur/recording-check';
import { machine } from '../measure/figures.ts';
import { openRoom, openStage, roomRate } from './bench-room.ts';
import type { RoomWish, Stage } from './bench-room.ts';
import { compare } from './compare.ts';
import type { Figures, Round } from './compare.ts';
import { contendersOf } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { startFieldBot } from './field-strategy.ts';
import { bringFieldPrograms } from './needs.ts';
import { joinUrlOf, startOurBot } from './our-bot.ts';
import type { View, Strategy } from './our-bot.ts';
import { takeRecording } from './take.ts';
import type { Bot, Take } from './take.ts';

export interface RecorderBench extends Pick<RoomWish, 'codec' | 'platform'> {
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

interface Place extends RoomWish {
  readonly stage: Stage;
  readonly meetings: SimulatedMeetings;
  /** Of what is recorded. */
  readonly folder: string;
}

/** One recording by a contender in a meeting of its own. */
export async function takeOf(contender: Contender, place: Place): Promise<Take> {
  const { meetings, seconds } = place;
  try {
    return await takeRecording({ ...roomRate, seconds, start: () => startBot(contender, place) });
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
