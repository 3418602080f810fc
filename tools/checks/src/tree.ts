import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Output of `npm run generate`: in no commit, but what types and checks read. */
const generatedFolders = ['libs/contracts/src/generated', 'libs/sdk/src/generated'];

/** The files that git tracks or would track, as in the working tree, and the generated contract files. */
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
  const kept = listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  const generated = generatedFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  return { paths: [...kept, ...generated], read: (path) => readFileSync(join(root, path), 'utf8') };
}

export function isSource(path: string): boolean {
  return /\.(tsx?|mjs)$/.test(path) && !isGenerated(path);
}

export function isGenerated(path: string): boolean {
  return path.includes('/generated/') || path.endsWith('.d.ts');
}
