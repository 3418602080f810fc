import type { Tree } from '../tree.ts';
import { applySample, filesOf } from './apply-sample.ts';
import type { SampleChange } from './sample-change.ts';
import { sampleChanges } from './samples.ts';

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
export function listedFiles(text: string): ReadonlyMap<string, readonly string[]> {
  const section = text.split(heading)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  return new Map(
    rows.map((line) => {
      const [, row = '', ...cells] = line.split('|').map((cell) => cell.trim());
      return [row, [...cells.join(' ').matchAll(/`([^`]+\/[^`]+)`/g)].map(([, path = '']) => path)] as const;
    }),
  );
}
