/** A problem that the user can fix; its message is sufficient. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command line is valid, but its precondition does not hold. */
export class StateError extends UsageError {}

/** Columns as wide as their widest cell, under heads in capitals. */
export function tableOf(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = names.map((name) => name.replaceAll('_', ' ').toUpperCase());
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}
