import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { modeOf } from '@rapporteur/speech-to-text/providers';
import ts from 'typescript';
import { findCoverageProblems } from './coverage.ts';
import { findImportCycles } from './cycles.ts';
import { findForbiddenImports } from './imports.ts';
import { findSlowPatterns } from './patterns.ts';
import type { Failure, Totals } from './totals.ts';
import { readTree, isSource } from './tree.ts';
import type { Tree } from './tree.ts';
import { findOutsideCallsInTransactions } from './transactions.ts';
import { findRefusedWords } from './vocabulary.ts';
import { applySample, filesOf } from './sample-changes/apply-sample.ts';
import type { SampleChange } from './sample-changes/sample-change.ts';
import { sampleChanges } from './sample-changes/samples.ts';

const guide = 'CONTRIBUTING.md';
const heading = '## What a change touches';

/**
 * Rows of CONTRIBUTING.md whose files are not those of their sample. `npm run test:soak -- changes` shows that the files
 * of a sample suffice.
 */
export function findSampleProblems(tree: Tree, samples: readonly SampleChange[] = sampleChanges): string[] {
  const listed = listedFiles(tree.read(guide));
  const unknown = [...listed.keys()].filter((row) => !samples.some((sample) => sample.row === row));
  return [
    ...unknown.map((row) => `${guide}: the row "${row}" has no sample in tools/checks/src/sample-changes.`),
    ...samples.flatMap((sample) => problemsOf(tree, sample, listed.get(sample.row))),
  ];
}

function problemsOf(tree: Tree, sample: SampleChange, listed: readonly string[] | undefined): string[] {
  if (listed === undefined) return [`${guide} lacks the row "${sample.row}" below "${heading}".`];
  const files = filesOf(sample);
  const [missing, further] = [
    files.filter((file) => !listed.includes(file)),
    listed.filter((file) => !files.includes(file)),
  ];
  const problems = [
    ...missing.map((file) => `${guide}: the row "${sample.row}" lacks \`${file}\`, which its sample changes.`),
    ...further.map((file) => `${guide}: the row "${sample.row}" lists \`${file}\`, which its sample does not change.`),
  ];
  try {
    applySample(tree, sample);
  } catch (error) {
    problems.push((error as Error).message);
  }
  return problems;
}

/** The paths in each row of the table, by the row's first cell. */
function listedFiles(text: string): ReadonlyMap<string, readonly string[]> {
  const section = text.split(heading)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  return new Map(
    rows.map((line) => {
      const [, row = '', ...cells] = line.split('|').map((cell) => cell.trim());
      return [row, [...cells.join(' ').matchAll(/`([^`]+\/[^`]+)`/g)].map(([, path = '']) => path)] as const;
    }),
  );
}

const empty = /^(utils?|helpers?|common|shared|misc|manager)$/;

/** Names that do not describe the content, tests that do not run, and work left open. */
export function findNamingProblems(tree: Tree): string[] {
  const problems: string[] = [];
  for (const path of tree.paths) {
    const parts = path.split('/').flatMap((part) => part.split('.')[0] ?? '');
    if (parts.some((part) => empty.test(part)))
      problems.push(`${path}: name it for what is inside, not "${parts.find((part) => empty.test(part))}".`);
    if (!isSource(path) || path.startsWith('tools/checks/')) continue;
    const source = tree.read(path);
    if (/\b(it|test|describe)\.(skip|only|todo)\b|\bx(it|describe)\(|\bf(it|describe)\(/.test(source))
      problems.push(`${path}: a skipped or lonely test proves nothing; make it run or delete it.`);
    if (/\b(TODO|FIXME|XXX)\b/.test(source))
      problems.push(`${path}: finish what is marked as open, or say it in an issue.`);
    if (/(^|[^\w.'"])any\b\s*[,;)=>[\]]/.test(stripText(source)) && /:\s*any\b|<any\b|as any\b/.test(stripText(source)))
      problems.push(`${path}: parse at the edge instead of \`any\`.`);
  }
  for (const place of workspaceFolders(tree)) {
    if (!tree.paths.includes(`${place}/README.md`))
      problems.push(
        `${place} has no README.md: say what it owns, what it never does, its front door, how to test it alone.`,
      );
  }
  return problems;
}

function stripText(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`|"[^"\n]*"/g, ' ');
}

function workspaceFolders(tree: Tree): string[] {
  return tree.paths
    .filter((path) => /^(apps|libs|tools)\/[^/]+\/package\.json$|^deploy\/local\/package\.json$/.test(path))
    .map((path) => path.replace('/package.json', ''));
}

const limits = { fileLines: 600, functionLines: 70, parameters: 4 } as const;

/** Files over 600 lines, functions over 70, more than 4 parameters. Test files may have long `describe` bodies. */
function findSizeProblems(tree: Tree): string[] {
  return tree.paths.filter(isSource).flatMap((path) => sizeProblemsOf(path, tree.read(path)));
}

export function sizeProblemsOf(path: string, source: string): string[] {
  const problems: string[] = [];
  const lines = source.split('\n').length;
  if (lines > limits.fileLines)
    problems.push(`${path} has ${lines} lines: more than ${limits.fileLines}. Split it into two files.`);
  if (/\.(test|e2e)\.ts$/.test(path)) return problems;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const at = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const length = file.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - at;
      if (length > limits.functionLines && !isPageInstaller(path))
        problems.push(
          `${path}:${at} is a function of ${length} lines: over ${limits.functionLines} it hides a second one.`,
        );
      if (node.parameters.length > limits.parameters)
        problems.push(`${path}:${at} takes ${node.parameters.length} parameters: pass one object with names.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return problems;
}

/** A script that runs inside a page is one closure by nature: everything it needs has to travel in one text. */
function isPageInstaller(path: string): boolean {
  return path.endsWith('.page.ts') || path.includes('/site/');
}

const remindedDays = 60;
const dayMs = 86_400_000;

/** A null model: a change of what the vendor uses without a named one. */
const announcedEnds = [
  { api: 'assemblyai', mode: 'batch', model: null, on: '2026-12-08' },
  { api: 'openai-compatible', mode: 'batch', model: 'whisper-1', on: '2027-02-26' },
  { api: 'openai-compatible', mode: 'batch', model: 'gpt-4o-transcribe', on: '2027-02-26' },
  { api: 'openai-compatible', mode: 'batch', model: 'gpt-4o-mini-transcribe', on: '2027-02-26' },
  { api: 'openai-compatible', mode: 'batch', model: 'gpt-4o-transcribe-diarize', on: '2027-02-26' },
] as const;

/** Reminders of announced ends of speech models. They never fail a build: a build of today passes on any later day. */
export function endReminders(nowMs: number): string[] {
  return announcedEnds.flatMap(({ api, mode, model, on }) => {
    const days = Math.ceil((Date.parse(on) - nowMs) / dayMs);
    const current: readonly (string | null)[] = [modeOf(api, mode)?.model?.current ?? null].flat();
    if (days > remindedDays || (days <= 0 && !current.includes(model))) return [];
    const use = current.includes(model)
      ? 'it is the current default here: name another one in libs/speech-to-text/src/providers.ts'
      : 'it is no default here';
    const when = days > 0 ? `ends on ${on}, in ${days} days` : `ended on ${on}`;
    return [`${api} (${mode}): ${model ?? 'the default without a named model'} ${when}; ${use}.`];
  });
}

const places = ['.ci/run', '.github/workflows/test.yml', 'README.md'] as const;

/** CI, the workflow and the README use one command for every test. */
export function findTestCommandProblems(tree: Tree): string[] {
  const commands = places.map(
    (place) => /\bnpm test\b(?: --(?= ))?(?: --[\w-]+)*/.exec(tree.read(place))?.[0] ?? 'none',
  );
  if (new Set(commands).size === 1 && commands[0] !== 'none') return [];
  const found = places.map((place, index) => `${place}: ${commands[index]}`).join('; ');
  return [`The first npm test of these files is not one command: ${found}.`];
}

/** The workflows use actions by commit: a tag can be moved to other code, which then has the secrets of a release. */
export function findMovableActions(tree: Tree): string[] {
  const workflows = tree.paths.filter((path) => /^\.github\/workflows\/.*\.ya?ml$/.test(path));
  return workflows.flatMap((path) =>
    [...tree.read(path).matchAll(/^\s*(?:- )?uses: (\S+)(.*)$/gm)].flatMap(([, action = '', comment = '']) =>
      /^[\w./-]+@[0-9a-f]{40}$/.test(action) && /^ # v\d/.test(comment)
        ? []
        : [
            `${path}: ${action}: name the commit in full, and its version in a comment (uses: owner/action@<commit> # v1.2.3).`,
          ],
    ),
  );
}

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
          `${path} depends on the optional ${name}, which has no lock entry: pin a version whose platform packages are complete.`,
        );
    }
  }
  return problems;
}

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
