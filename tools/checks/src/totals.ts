/** How many tests or checks of one step passed and failed. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  /** The failures by name, as far as known. */
  readonly failures?: readonly Failure[];
}

export interface Failure {
  readonly name: string;
  /** Folder of its evidence. */
  readonly evidence?: string | undefined;
  /** What failed, as the test reported it. */
  readonly message?: string | undefined;
}

// Long enough to show a failure's cause where only the end of the output is kept.
const longestMessage = 3_000;
const mostLines = 25;

/** Lists the failures and the folders of their evidence; empty: none. */
export function failureLines(steps: readonly Totals[], evidenceFolder: string): string[] {
  const failures = steps.flatMap((step) => step.failures ?? []);
  if (failures.length === 0) return [];
  return [
    '== failed',
    ...failures.flatMap(linesOf),
    '',
    `Evidence of failed tests, readings of the stall probe: ${evidenceFolder}`,
  ];
}

function linesOf({ name, evidence, message = '' }: Failure): string[] {
  const said = message
    .slice(0, longestMessage)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [name, ...(evidence === undefined ? [] : [evidence]), ...said.slice(0, mostLines)].map((line, index) =>
    index === 0 ? line : `    ${line}`,
  );
}

/** Prints the one closing line that developers and CI read. True when at least one passed and none failed. */
export function printTotals(steps: readonly Totals[]): boolean {
  const passed = steps.reduce((sum, step) => sum + step.passed, 0);
  const failed = steps.reduce((sum, step) => sum + step.failed, 0);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0;
}
