/** How long one step of `npm test` took, and each test file in it. */
export interface StepTime {
  readonly what: string;
  readonly durationMs: number;
  readonly files: readonly FileTime[];
}

export interface FileTime {
  /** From the root of the repository. */
  readonly path: string;
  readonly durationMs: number;
}

const slowestShown = 10;

/** The times of the steps and of the slowest test files, one line each. */
export function timeLines(steps: readonly StepTime[], wholeMs: number): string[] {
  const slowest = steps
    .flatMap(({ files }) => files)
    .toSorted((one, other) => other.durationMs - one.durationMs)
    .slice(0, slowestShown);
  return [
    '== times',
    ...steps.map(({ what, durationMs }) => `${secondsOf(durationMs)}  ${what}`),
    `${secondsOf(wholeMs)}  in all`,
    ...(slowest.length === 0 ? [] : ['', 'slowest test files:']),
    ...slowest.map(({ path, durationMs }) => `${secondsOf(durationMs)}  ${path}`),
  ];
}

export function printTimes(steps: readonly StepTime[], wholeMs: number): void {
  process.stdout.write(`\n${timeLines(steps, wholeMs).join('\n')}\n`);
}

function secondsOf(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1).padStart(8)} s`;
}
