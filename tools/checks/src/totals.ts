/** How many tests or checks of one step passed and failed. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

/** Prints the one closing line that developers and CI read. True when at least one passed and none failed. */
export function printTotals(steps: readonly Totals[]): boolean {
  const passed = steps.reduce((sum, step) => sum + step.passed, 0);
  const failed = steps.reduce((sum, step) => sum + step.failed, 0);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0;
}
