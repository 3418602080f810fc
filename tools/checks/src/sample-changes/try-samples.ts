// Applies each sample change to a copy of the repository, generates, and reports what type checking or the tests of the
// lists name. Parameters: parts of the names of rows (none: all); `--together`: all in one copy, which is quicker.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCoverageProblems } from '../coverage.ts';
import { readTree } from '../tree.ts';
import type { Tree } from '../tree.ts';
import { applySample, filesOf } from './apply-sample.ts';
import type { SampleChange } from './sample-change.ts';
import { sampleChanges } from './samples.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const tree = readTree(root);

/** Programs that write generated files, type checking, and the tests that compare lists with their tables. */
const steps: readonly (readonly string[])[] = [
  ['tools/contracts-generator/src/main.ts'],
  ['tools/observability/src/main.ts'],
  ['tools/chart/src/main.ts'],
  [
    '-e',
    `import('./libs/bot-lifecycle/src/print-document.ts').then(({ renderLifecycleDocument }) =>
      fs.writeFileSync('docs/bot-lifecycle.md', renderLifecycleDocument()))`,
  ],
  [join(root, 'node_modules/@typescript/native/bin/tsc'), '-b'],
  [
    join(root, 'node_modules/jest/bin/jest.js'),
    '--config',
    'jest.config.mjs',
    '--silent',
    '-w',
    '2',
    'apps/api-gateway/src/legacy/join-request',
    'libs/contracts/src',
    'libs/meeting-links',
    'libs/speech-to-text/src/[^/]+\\.test',
    'libs/bot-lifecycle',
    'apps/bot-scheduler/src/launch/[^/]+(?<!integration)\\.test',
    'apps/calendar-sync/src/schema',
    'apps/delivery/src/messages/previous-event',
    'tools/contracts-generator/src/(lint|sdk|compatibility)',
    'tools/chart/src/values',
  ],
];

/** A copy of the sources below the repository, which finds the third-party packages above it. */
function copyTree(): string {
  const parent = join(root, 'dist');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'sample-change-'));
  for (const path of tree.paths) cpSync(join(root, path), join(folder, path));
  cpSync(join(root, 'node_modules/@rapporteur'), join(folder, 'node_modules/@rapporteur'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  symlinkSync(join(root, 'node_modules/.bin'), join(folder, 'node_modules/.bin'));
  // Versions of packages that only one project has.
  for (const kind of ['apps', 'libs', 'tools'])
    for (const name of readdirSync(join(root, kind))) {
      const own = join(kind, name, 'node_modules');
      if (existsSync(join(root, own)))
        cpSync(join(root, own), join(folder, own), { recursive: true, verbatimSymlinks: true });
    }
  return folder;
}

function runNode(folder: string, parameters: readonly string[]): string | null {
  const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return run.status === 0 ? null : `${run.stdout}${run.stderr}`.trim();
}

/** What names a further file; empty: the files of the samples suffice. */
function trySamples(samples: readonly SampleChange[]): string[] {
  const folder = copyTree();
  try {
    let changed: Tree = tree;
    for (const sample of samples) {
      const applied = applySample(changed, sample);
      for (const [file, text] of applied.changed) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      changed = applied;
    }
    const problems = steps.flatMap((parameters) => runNode(folder, parameters) ?? []);
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
    return [...problems, ...findCoverageProblems({ paths: changed.paths, read })];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(what: string, samples: readonly SampleChange[]): boolean {
  const startedAt = performance.now();
  const problems = trySamples(samples);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const outcome = problems.length === 0 ? 'suffice' : 'do not suffice';
  const files = new Set(samples.flatMap(filesOf)).size;
  process.stdout.write(`change: ${what}: ${files} files ${outcome}, ${seconds} s\n`);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  return problems.length === 0;
}

const { values, positionals: parts } = parseArgs({
  options: { together: { type: 'boolean' } },
  allowPositionals: true,
});
const samples = sampleChanges.filter(({ row }) => parts.length === 0 || parts.some((part) => row.includes(part)));
const outcomes =
  values.together === true ? [report('all samples', samples)] : samples.map((sample) => report(sample.row, [sample]));
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
