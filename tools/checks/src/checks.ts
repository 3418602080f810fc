import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { endReminders } from './announced-ends.ts';
import { findCoverageProblems } from './coverage.ts';
import { findImportCycles } from './cycles.ts';
import { findForbiddenImports } from './imports.ts';
import { findLockfileProblems } from './lockfile.ts';
import { findNamingProblems } from './names.ts';
import { findSlowPatterns } from './patterns.ts';
import { findSampleProblems } from './sample-changes/find-sample-problems.ts';
import { findSizeProblems } from './sizes.ts';
import { findMovableActions, findTestCommandProblems } from './test-command.ts';
import type { Failure, Totals } from './totals.ts';
import { readTree } from './tree.ts';
import type { Tree } from './tree.ts';
import { findOutsideCallsInTransactions } from './transactions.ts';
import { findRefusedWords } from './vocabulary.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Each check returns its problems as sentences that include the fix; empty: passed. */
type Check = readonly [what: string, find: (tree: Tree) => string[]];

function tool(name: string, ...args: string[]): (tree: Tree) => string[] {
  return () => {
    const run = spawnSync(join(root, 'node_modules/.bin', name), args, { cwd: root, encoding: 'utf8' });
    return run.status === 0 ? [] : [`${run.stdout}${run.stderr}`.trim() || `${name} ended with ${run.status}`];
  };
}

export const checks: readonly Check[] = [
  ['types fit (tsc -b)', tool('tsc', '-b')],
  ['lint is clean (oxlint)', tool('oxlint', '--type-aware', '--deny-warnings')],
  ['formatting is right (npm run format mends it)', tool('oxfmt', '--check', '.')],
  ['imports keep to the house rules', findForbiddenImports],
  ['neither files nor feature folders import each other in a cycle', findImportCycles],
  ['names say something', findNamingProblems],
  ['names, comments and documents use the terms of docs/glossary.md', findRefusedWords],
  ['files and functions keep their size', findSizeProblems],
  ['no pattern is slow on hostile text', findSlowPatterns],
  ['no transaction waits for anything but its own statements', findOutsideCallsInTransactions],
  ['every row of the specification about bots names its test', findCoverageProblems],
  ['CONTRIBUTING.md lists the files of every sample change', (tree) => findSampleProblems(tree)],
  ['CI, the workflow and the README name one command for every test', findTestCommandProblems],
  ['workflows name actions by commit', findMovableActions],
  ['the lockfile is whole and names no host', findLockfileProblems],
];

/** Runs every check on the tree that git would see, prints one line each. */
export async function runChecks(): Promise<Totals> {
  process.stdout.write('\n== checks\n');
  for (const reminder of endReminders(Date.now())) process.stdout.write(`note ${reminder}\n`);
  const tree = readTree(root);
  const failures: Failure[] = [];
  for (const [what, find] of checks) {
    const problems = find(tree);
    process.stdout.write(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${what}\n`);
    for (const problem of problems) process.stdout.write(`     ${problem.replaceAll('\n', '\n     ')}\n`);
    if (problems.length > 0) failures.push({ name: what });
  }
  return { passed: checks.length - failures.length, failed: failures.length, failures };
}
