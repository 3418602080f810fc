import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that git tracks or would track, as in the working tree. */
export interface Tree {
  /** Paths from the root with forward slashes. */
  readonly paths: readonly string[];
  read(path: string): string;
}

export function readTree(root: string): Tree {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (listed.status !== 0) throw new Error(`git could not list the files: ${listed.stderr}`);
  const paths = listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  return { paths, read: (path) => readFileSync(join(root, path), 'utf8') };
}

export function isSource(path: string): boolean {
  return /\.(tsx?|mjs)$/.test(path) && !isGenerated(path);
}

export function isGenerated(path: string): boolean {
  return path.includes('/generated/') || path.endsWith('.d.ts');
}
