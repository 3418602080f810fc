import { readFileSync } from 'node:fs';

/** A counter of this container, from the first of the files that has it; 0 where none does. */
export function readCounter(name: string, files: readonly string[]): number {
  for (const file of files) {
    const line = textOf(file)
      .split('\n')
      .find((one) => one.startsWith(`${name} `));
    if (line !== undefined) return Number(line.slice(name.length + 1));
  }
  return 0;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
