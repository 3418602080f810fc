import type { Tree } from './tree.ts';

interface LockEntry {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Record<string, string>;
}

/** `npm ci` refuses a lockfile whose optional packages have no entry, and a host name in it ties it to one registry. */
export function findLockfileProblems(tree: Tree): string[] {
  const lock = JSON.parse(tree.read('package-lock.json')) as { packages: Record<string, LockEntry> };
  const present = new Set(Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, '')));
  const problems: string[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.resolved !== undefined && /^https?:/.test(entry.resolved)) {
      problems.push(
        `${path} names a host in package-lock.json: set omit-lockfile-registry-resolved=true and write it again.`,
      );
    }
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!present.has(name))
        problems.push(
          `${path} wants the optional ${name}, which has no lock entry: pin a version whose platform packages are complete.`,
        );
    }
  }
  return problems;
}
