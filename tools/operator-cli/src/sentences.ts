/** A problem the participant at the keyboard can repair; its message is all they need to see. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `npm run rapporteur -- <command> [options]

  keys create [--team NAME] [--permission full|sending] [--name NAME] [--expires-at TIME]
                                   make a key and print it, once
  keys list [--team NAME]          keys, the newest 1,000 of all teams or of one
  keys change KEY_ID [--permission full|sending] [--expires-at TIME|never] [--name NAME]
                                   change a key, within a second
  keys revoke KEY_ID               end a key; within a second it opens nothing

  teams create NAME [--plan PLAN] [--tokens N]
                                   make a team and print its first key, once
  teams list                       every team with its plan and limits (* its own)
  teams show NAME                  one team
  teams change NAME [--plan PLAN] [--name NEW] [limits]
                                   move it to a plan, rename it, or give it limits of its own;
                                   a limit said as "plan" follows the plan again
  tokens grant N [--team NAME]     give a team tokens

  plans list                       every plan with its limits
  plans create NAME <limits>       make a plan; all three limits are needed
  plans change NAME [limits]       change it for every team on it

Limits:
  --requests-per-second N          not counting GET, 1 to 1000
  --daily-bot-cap N                bots in any 24 hours
  --retention-days N               how long recordings are kept

Where the admin API is:
  --data-folder FOLDER             of the stack on this machine   (default: of the one that runs, else .rapporteur)
  --admin-url URL --admin-token-file FILE
                                   of any other deployment

TIME is written like 2027-01-31T18:00:00Z. Exit code 0 done, 1 refused or not reachable, 2 not understood.
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
