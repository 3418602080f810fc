import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { areas, linesByArea, linesTable } from './count-lines.ts';

const root = join(import.meta.dirname, '../../../..');

/** `lines` and its options: the size of the areas in HEAD, beside that of an earlier revision. */
export async function linesCommand(parameters: readonly string[], say: (text: string) => void): Promise<boolean> {
  const { values } = parseArgs({ args: [...parameters], options: { before: { type: 'string' } } });
  const after = linesByArea(await countedAt('HEAD'));
  const before = values.before === undefined ? null : linesByArea(await countedAt(values.before));
  for (const line of linesTable(before, after)) say(line);
  return areas.every(({ name, most = Infinity }) => (after.get(name) ?? 0) <= most);
}

/** `path:lines` of every tracked source of a revision. @throws Error for an unknown revision */
async function countedAt(revision: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(
    'git',
    ['grep', '-I', '-c', '', revision, '--', '*.ts', '*.tsx', '*.mjs', '*.js', '*.sql'],
    { cwd: root, maxBuffer: 64 * 1024 * 1024, timeout: 60_000 },
  );
  return stdout.split('\n').map((line) => line.slice(line.indexOf(':') + 1));
}
