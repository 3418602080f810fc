import type { RecordingReport } from './recording-report.ts';

/** The report as lines of a table for participants. */
export function printReport(report: RecordingReport, problems: readonly string[]): string {
  const { file, video, flashes, beeps, offset, silences } = report;
  const rows: [string, string][] = [
    ['File', report.path],
    ['Length', `${file.durationMs} ms, begins at ${file.startMs} ms`],
    ['Sound', file.audio ? `${file.audio.codec} ${file.audio.sampleRate} Hz, ${report.audioMs} ms decoded` : 'none'],
  ];
  if (file.video && video && flashes) {
    rows.push(
      ['Picture', `${file.video.codec} ${file.video.width}x${file.video.height}`],
      ['Frames', `${video.frames}, ${video.uniqueFrames} of them new, ${video.markedFrames} with a readable marker`],
      [
        'Counter',
        `${video.stepsBack.length} times back, ${video.counterWraps} loops, ${video.counterSkipped} values not shown`,
      ],
      [
        'Room time jumps',
        video.timeJumps.map((jump) => `${jump.byMs} ms at ${Math.round(jump.atMs)} ms`).join(', ') || 'none',
      ],
      ['People', video.participants.map((shown) => `${shown.participant} from ${shown.atMs} ms`).join(', ') || 'none'],
      [
        'Longest gap',
        `${video.longestFrameGap.lastedMs} ms between frames from ${video.longestFrameGap.atMs} ms, ` +
          `${video.longestStill.lastedMs} ms without a new one from ${video.longestStill.atMs} ms`,
      ],
      ['Black / frozen', `${video.blackSeconds} s / ${video.frozenSeconds} s`],
      ['Flashes', `${flashes.found} found, ${flashes.missing} missing`],
    );
  }
  if (beeps) rows.push(['Beeps', `${beeps.found} found, ${beeps.missing} missing`]);
  rows.push(
    [
      'Sound offset',
      offset.medianMs === null
        ? 'no pairs'
        : `median ${offset.medianMs} ms, p95 ${offset.p95Ms} ms, ${offset.pairs} pairs`,
    ],
    ['Silences', silences.map((span) => `${span.startMs}-${span.endMs} ms`).join(', ') || 'none'],
    ['Decoder errors', report.decodeErrors.length === 0 ? 'none' : report.decodeErrors.join(' | ')],
  );
  const width = Math.max(...rows.map(([name]) => name.length));
  const verdict =
    problems.length === 0
      ? ['', 'This recording is right.']
      : ['', ...problems.map((problem) => `PROBLEM: ${problem}`)];
  return [...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`), ...verdict].join('\n');
}
