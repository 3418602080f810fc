/** A problem that the user at the keyboard can repair; its message is all they need to see. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command line is understood, and what it needs is not there. */
export class StateError extends UsageError {}

/** Columns as wide as their widest cell. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}
