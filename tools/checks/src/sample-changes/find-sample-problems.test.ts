import { expect, test } from '@jest/globals';
import type { Tree } from '../tree.ts';
import { findSampleProblems } from './find-sample-problems.ts';
import { after } from './sample-change.ts';

const sample = { row: 'event', edits: [after('libs/a.ts', 'list = [', "'new', ")], creates: { 'libs/new.ts': '' } };
const problemsIn = (guide: string, more: Record<string, string> = {}) => {
  const files: Record<string, string> = { 'libs/a.ts': 'const list = [];', ...more };
  files['CONTRIBUTING.md'] = `## What a change touches\n\n| change | which |\n|---|---|\n${guide}\n\n## Next\n`;
  const tree: Tree = { paths: Object.keys(files), read: (path) => files[path] ?? '' };
  return findSampleProblems(tree, [sample]).join('\n');
};
const row = '| event | `libs/a.ts`, `libs/new.ts` |';

test('a row that lists the files of its sample passes', () => {
  expect(problemsIn(row)).toBe('');
});

test.each([
  ['no row', '', {}, 'lacks the row "event"'],
  ['a file too few', '| event | `libs/a.ts` |', {}, 'lacks `libs/new.ts`'],
  ['a file too many', `${row} \`libs/b.ts\``, {}, 'lists `libs/b.ts`'],
  ['a row without a sample', `${row}\n| other | \`libs/a.ts\` |`, {}, '"other" has no sample'],
  ['a place that is gone', row, { 'libs/a.ts': 'const names = [];' }, 'there 0 times'],
  ['a new file that exists', row, { 'libs/new.ts': '' }, 'which exists'],
])('%s is a problem', (_what, guide, more, problem) => {
  expect(problemsIn(guide, more)).toContain(problem);
});
