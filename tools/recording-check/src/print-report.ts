import type { RecordingReport } from './check-recording.ts';

/** The report as lines of a table for people. */
export function printReport(report: RecordingReport, problems: readonly string[]): string {
  const { file, picture, flashes, beeps, offset, silences } = report;
  const rows: [string, string][] = [
    ['File', report.path],
    ['Length', `${file.durationMs} ms, begins at ${file.startMs} ms`],
    ['Sound', file.audio ? `${file.audio.codec} ${file.audio.sampleRate} Hz, ${report.soundMs} ms decoded` : 'none'],
  ];
  if (file.video && picture && flashes) {
    rows.push(
      ['Picture', `${file.video.codec} ${file.video.width}x${file.video.height}`],
      [
        'Frames',
        `${picture.frames}, ${picture.uniqueFrames} of them new, ${picture.markedFrames} with a readable marker`,
      ],
      [
        'Counter',
        `${picture.counterBackwards} times back, ${picture.counterWraps} loops, ${picture.counterSkipped} values not shown`,
      ],
      [
        'Room time jumps',
        picture.timeJumps.map((jump) => `${jump.byMs} ms at ${Math.round(jump.atMs)} ms`).join(', ') || 'none',
      ],
      ['People', picture.people.map((shown) => `${shown.person} from ${shown.atMs} ms`).join(', ') || 'none'],
      ['Longest gap', `${picture.longestFrameGapMs} ms between frames, ${picture.longestStillMs} ms without a new one`],
      ['Black / frozen', `${picture.blackSeconds} s / ${picture.frozenSeconds} s`],
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
