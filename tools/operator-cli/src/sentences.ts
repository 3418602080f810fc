/** A problem the person at the keyboard can mend; its message is all they need to see. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `rapporteur <command> [options]

  keys create [--team NAME] [--permission full|sending] [--name NAME] [--expires-at TIME]
                                   make a key and print it, once
  keys list                        every key, newest first
  keys revoke KEY_ID               end a key; within a second it opens nothing
  teams create NAME [--plan PLAN] [--tokens N]
                                   make a team and print its first key, once
  teams list                       every team with its plan
  tokens grant N [--team NAME]     give a team tokens

Where the admin API is:
  --data-folder FOLDER             of the stack on this machine   (default .rapporteur)
  --admin-url URL --admin-token-file FILE
                                   of any other deployment
`;

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
