import type { RecordingReport } from './recording-report.ts';

/** The requirements for a recording. Everything omitted has the default in its comment. */
export interface Expectations {
  /** False for a recording of audio only. */
  readonly video?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly durationMs?: { readonly least: number; readonly most: number };
  /** The rate of the room: 25, and its loop: 60 s. */
  readonly framesPerSecond?: number;
  readonly loopSeconds?: number;
  /** Least share of the room's frames that are in the video: 0.9. */
  readonly frameShare?: number;
  /**
   * Time in the file after which nothing is sent, so that no flash, beep or video is expected: the file's end. A
   * function receives the position in the room's loop at the file's time zero, in ms.
   */
  readonly roomEndsAtMs?: number | ((roomAtZeroMs: number) => number);
  /** Least share of seconds with a flash, and with a beep: 1. */
  readonly beatShare?: number;
  /** 80. */
  readonly offsetMostMs?: number;
  /** Longest time one frame is shown: 1000. */
  readonly frameGapMostMs?: number;
  /** 0 and 0. */
  readonly blackSecondsMost?: number;
  readonly frozenSecondsMost?: number;
  /** Places where room time may be missing (pauses, rejoins): 0. */
  readonly timeJumpsMost?: number;
  /** Maximum number of steps back in the video (a switch to a strategy with more delay): 0. */
  readonly backwardsMost?: number;
  /** Silence shorter than this is not listed: 1000. */
  readonly silenceMs?: number;
  /** Longest allowed silence; omitted: any. */
  readonly silenceMaxMs?: number;
  /** Maximum offset of the file's beginning from zero: 50. */
  readonly startMostMs?: number;
  /** Maximum difference of the audio's length from the file's: 250. */
  readonly audioLengthMaxMs?: number;
}

/** One plain sentence for everything that is not as expected. */
export function findProblems(report: RecordingReport, expected: Expectations): string[] {
  return [...fileProblems(report, expected), ...videoProblems(report, expected), ...audioProblems(report, expected)];
}

function fileProblems({ file, decodeErrors }: RecordingReport, expected: Expectations): string[] {
  const problems: string[] = [];
  if (decodeErrors.length > 0) problems.push(`The decoder met errors: ${decodeErrors[0]}`);
  if (Math.abs(file.startMs) > (expected.startMostMs ?? 50))
    problems.push(`The file begins at ${file.startMs} ms instead of 0.`);
  const { durationMs } = expected;
  if (durationMs && (file.durationMs < durationMs.least || file.durationMs > durationMs.most)) {
    problems.push(`It lasts ${file.durationMs} ms; ${durationMs.least} to ${durationMs.most} ms are right.`);
  }
  if (file.audio === null) problems.push('It has no audio.');
  if ((expected.video ?? true) && file.video === null) problems.push('It has no video.');
  if (expected.video === false && file.video !== null) problems.push('It has video but should be audio only.');
  return problems;
}

function videoProblems({ file, video, flashes }: RecordingReport, expected: Expectations): string[] {
  if (!video || !file.video || !flashes) return [];
  const problems: string[] = [];
  const most = (name: string, value: number, limit: number): void => {
    if (value > limit) problems.push(`${name}: ${value}; at most ${limit} is right.`);
  };
  const { width = file.video.width, height = file.video.height } = expected;
  if (file.video.width !== width || file.video.height !== height) {
    problems.push(`The video is ${file.video.width}x${file.video.height} instead of ${width}x${height}.`);
  }
  const stepsBack = video.stepsBack.map(
    ({ atMs, byFrames, participants }) => `${byFrames} at ${atMs} ms, participants ${participants.join(' to ')}`,
  );
  most(
    `Times the frame counter went back (${stepsBack.join('; ')})`,
    video.stepsBack.length,
    expected.backwardsMost ?? 0,
  );
  most('Places where room time is missing or doubled', video.timeJumps.length, expected.timeJumpsMost ?? 0);
  const { atMs, lastedMs } = video.longestFrameGap;
  most(`Longest time of one frame (ms), from ${atMs} ms`, lastedMs, expected.frameGapMostMs ?? 1_000);
  most('Black seconds', video.blackSeconds, expected.blackSecondsMost ?? 0);
  most('Frozen seconds', video.frozenSeconds, expected.frozenSecondsMost ?? 0);
  const shown = video.uniqueFrames / ((file.durationMs / 1_000) * (expected.framesPerSecond ?? 25));
  const share = expected.frameShare ?? 0.9;
  if (shown < share)
    problems.push(`Only ${percent(shown)} of the room's frames are in the video; ${percent(share)} are right.`);
  const beats = expected.beatShare ?? 1;
  if (flashes.share < beats)
    problems.push(`Flashes are missing in ${flashes.missing} of ${flashes.found + flashes.missing} seconds.`);
  return problems;
}

function audioProblems(report: RecordingReport, expected: Expectations): string[] {
  const { beeps, offset, video, silences, audioMs, file } = report;
  if (!beeps) return [];
  const problems: string[] = [];
  if (beeps.share < (expected.beatShare ?? 1)) {
    problems.push(`Beeps are missing in ${beeps.missing} of ${beeps.found + beeps.missing} seconds.`);
  }
  if (video && offset.medianMs === null) problems.push('No flash has a beep near it.');
  const limit = expected.offsetMostMs ?? 80;
  if (offset.medianMs !== null && Math.abs(offset.medianMs) > limit) {
    problems.push(
      `The audio is ${Math.abs(offset.medianMs)} ms too ${offset.medianMs > 0 ? 'late' : 'early'}; ${limit} ms is the limit.`,
    );
  }
  if (Math.abs(audioMs - file.durationMs) > (expected.audioLengthMaxMs ?? 250)) {
    problems.push(`The audio lasts ${audioMs} ms and the file ${file.durationMs} ms.`);
  }
  const silent = silences.find((span) => span.endMs - span.startMs > (expected.silenceMaxMs ?? Infinity));
  if (silent) problems.push(`Silence from ${silent.startMs} to ${silent.endMs} ms.`);
  return problems;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
