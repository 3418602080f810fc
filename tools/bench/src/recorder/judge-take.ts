import { checkRecording } from '@rapporteur/recording-check';
import type { Expectations, RecordingReport } from '@rapporteur/recording-check';
import type { Recorded } from './recorded.ts';

export interface JudgedTake {
  readonly report: RecordingReport;
  readonly frameShare: number | null;
  readonly refusals: readonly string[];
}

interface RoomRate {
  readonly framesPerSecond: number;
  readonly loopSeconds: number;
}

/**
 * Minimum share of the room's frames: losing some must not pay off. A screen grab 30 times a second misses frames that
 * are shorter than a grab, also on an idle machine, and encodes nevertheless: it may lose more.
 */
const leastFrames = { ours: 0.98, field: 0.9 } as const;
const expected: Expectations = {
  beatShare: 0.98,
  offsetMostMs: 80,
  // There is speech or a beep in every second.
  silenceMaxMs: 1_100,
  // Checked here: a frame repeated until the next speaker's first frame is one that is late once.
  timeJumpsMost: Infinity,
};
/** Jumps this close are combined, and ignored when their sum is small. */
const together = { withinMs: 1_000, mostMs: 100 } as const;
/** As the page shows it, and as the simulated participants send it. */
const rightSizes = ['1280x720', '640x360'];

/** Decodes what a bot recorded. */
export async function judgeTake(recorded: Recorded, { framesPerSecond, loopSeconds }: RoomRate): Promise<JudgedTake> {
  const { report, problems } = await checkRecording(
    recorded.file,
    {
      ...expected,
      framesPerSecond,
      loopSeconds,
      video: !recorded.audioOnly,
      frameShare: leastFrames[recorded.by],
    },
    recorded.place === null ? {} : { frameArea: recorded.place },
  );
  return {
    report,
    frameShare: frameShareOf(report, framesPerSecond),
    refusals: [...problems, ...sizeProblems(report), ...jumpProblems(report), ...recorded.strategiesRefused],
  };
}

/** The share of the frames that the room showed meanwhile, 0 to 1. */
export function frameShareOf(
  { video, file }: Pick<RecordingReport, 'video' | 'file'>,
  framesPerSecond: number,
): number | null {
  if (video === null || file.durationMs === 0) return null;
  return video.uniqueFrames / ((file.durationMs / 1_000) * framesPerSecond);
}

/** Room time that is missing or doubled permanently. */
export function jumpProblems({ video }: Pick<RecordingReport, 'video'>, mostMs: number = together.mostMs): string[] {
  const groups: { atMs: number; lastMs: number; byMs: number }[] = [];
  for (const { atMs, byMs } of video?.timeJumps ?? []) {
    const group = groups.at(-1);
    if (group !== undefined && atMs - group.lastMs <= together.withinMs) {
      group.byMs += byMs;
      group.lastMs = atMs;
    } else groups.push({ atMs, lastMs: atMs, byMs });
  }
  return groups
    .filter(({ byMs }) => Math.abs(byMs) > mostMs)
    .map(({ atMs, byMs }) => `${byMs} ms of the room's time are missing at ${Math.round(atMs)} ms.`);
}

export function sizeProblems({ file }: Pick<RecordingReport, 'file'>): string[] {
  if (file.video === null) return [];
  const size = `${file.video.width}x${file.video.height}`;
  return rightSizes.includes(size) ? [] : [`The video is ${size}; ${rightSizes.join(' or ')} are right.`];
}
