import { describe, expect, test } from '@jest/globals';
import { findCoverageProblems, readCoverage, requiredRows } from './coverage.ts';
import { findForbiddenImports, importsOf } from './imports.ts';
import {
  findLockfileProblems,
  findMovableActions,
  findTestCommandProblems,
  endReminders,
  sizeProblemsOf,
  findNamingProblems,
  findSampleProblems,
} from './checks.ts';
import type { Tree } from './tree.ts';
import { after } from './sample-changes/sample-change.ts';

function treeOf(files: Record<string, string>): Tree {
  return { paths: Object.keys(files), read: (path) => files[path] ?? '' };
}

describe('the import rules', () => {
  test('see every form of import', () => {
    const source = `import a from 'one';\nimport type { B } from "two";\nexport { c } from 'three';\nimport 'four';\nconst d = await import('five');\nimport {\n  e,\n} from 'six';`;
    expect(importsOf(source).sort()).toEqual(['five', 'four', 'one', 'six', 'three', 'two']);
  });

  test.each([
    ['libs/recorder/src/a.ts', `import { x } from '@rapporteur/event-bus';`, 'never see each other'],
    ['apps/delivery/src/a.ts', `import { x } from '@rapporteur/recorder';`, 'only the bot-runner'],
    ['apps/bot-runner/src/a.ts', `import { x } from '@rapporteur/page-capture';`, 'parts of the recorder'],
    ['libs/media-container/src/a.ts', `import { x } from '@rapporteur/page-capture';`, 'nothing of a page'],
    ['apps/delivery/src/a.ts', `import { connect } from '@nats-io/transport-node';`, 'NATS stays'],
    ['libs/failures/src/a.ts', `import { x } from '../../contracts/src/index.ts';`, 'import the package by its name'],
    ['apps/delivery/src/a.ts', `const x = process.env.HOME;`, 'reads process.env'],
    ['libs/bot-lifecycle/src/a.ts', `import { readFile } from 'node:fs/promises';`, 'pure'],
    ['apps/delivery/src/a.ts', `import { startSimulator } from '@rapporteur/simulator';`, 'tools never ship'],
  ])('refuse %s saying %s', (path, source, why) => {
    expect(findForbiddenImports(treeOf({ [path]: source })).join()).toContain(why);
  });

  test('let a package use its own files and its neighbours by name', () => {
    const source = `import { x } from './feature/y.ts';\nimport { fail } from '@rapporteur/failures';`;
    expect(findForbiddenImports(treeOf({ 'apps/delivery/src/a.ts': source }))).toEqual([]);
  });
});

describe('the command for every test', () => {
  const files = (inReadme: string) =>
    treeOf({
      '.ci/run': 'exec npm test -- --with-cluster\n',
      '.github/workflows/test.yml': '      - run: npm test -- --with-cluster\n',
      'README.md': `${inReadme}   # every test\n`,
    });

  test('is the same in CI, the workflow and the README', () => {
    expect(findTestCommandProblems(files('npm test -- --with-cluster'))).toEqual([]);
    expect(findTestCommandProblems(files('npm test')).join()).toContain('README.md: npm test.');
    expect(findTestCommandProblems(files('npm start')).join()).toContain('README.md: none');
  });
});

test.each([
  [`uses: actions/cache@${'a'.repeat(40)} # v4.3.0`, 0],
  [`uses: actions/cache@${'a'.repeat(40)}`, 1],
  ['uses: actions/cache@v4 # v4', 1],
  ['uses: actions/cache@abcdef1 # v4', 1],
  ['uses: docker://alpine:3 # v3', 1],
])('an action as "%s" has %d problems', (step, count) => {
  const path = '.github/workflows/release.yml';
  expect(findMovableActions(treeOf({ [path]: `    steps:\n      - ${step}\n        with: {}\n` }))).toHaveLength(count);
});

describe('the naming rules', () => {
  test('refuse empty names, lonely tests, open ends and a package without a README', () => {
    const problems = findNamingProblems(
      treeOf({
        'libs/x/package.json': '{}',
        'libs/x/src/utils.ts': '',
        'libs/x/src/a.test.ts': `test.${'only'}('x', () => {});`,
        'libs/x/src/b.ts': `// ${'TO'}DO later`,
      }),
    ).join('\n');
    for (const part of ['utils', 'lonely', 'open', 'README']) expect(problems).toContain(part);
  });
});

describe('the size rules', () => {
  test('find the long function and the long parameter list, and leave test files their describe bodies', () => {
    const long = `function a() {\n${'  x();\n'.repeat(71)}}\nfunction b(c, d, e, f, g) {}`;
    expect(sizeProblemsOf('libs/x/src/a.ts', long)).toHaveLength(2);
    expect(sizeProblemsOf('libs/x/src/a.test.ts', long)).toHaveLength(0);
  });
});

describe('the lockfile rule', () => {
  test('finds a host name and an optional package without an entry', () => {
    const lock = {
      packages: { 'node_modules/a': { resolved: 'https://registry.example/a.tgz', optionalDependencies: { b: '1' } } },
    };
    expect(findLockfileProblems(treeOf({ 'package-lock.json': JSON.stringify(lock) }))).toHaveLength(2);
  });
});

describe('the coverage rule', () => {
  const schemas = {
    CreateBot: { properties: { bot_name: {}, timeout_config: { properties: { grace_period: {} } } } },
    BotDetails: { properties: { participants: { items: { properties: { id: {} } } } } },
  };
  const document = JSON.stringify({ paths: { '/v2/bots': { post: {} } }, components: { schemas } });
  const files = (table: string) =>
    treeOf({
      'docs/specification-coverage.md': `| row | rule | proof |\n|---|---|---|\n${table}`,
      'libs/contracts/src/generated/public.v2.json': document,
      'libs/contracts/src/generated/legacy.v1.json': JSON.stringify({
        paths: {},
        components: { schemas: { Calendar: { properties: { name: {} } }, CalendarEvent: {} } },
      }),
      'apps/x/src/a.test.ts': `test.each([['a long name', 1]])('%s is refused', () => { const said = 'gone'; });`,
    });

  test('reads fields, nested ones included, and operations from the contract', () => {
    expect(requiredRows(files(''))).toEqual(
      expect.arrayContaining([
        '2.1 bot_name',
        '2.1 timeout_config.grace_period',
        '2.2 participants.id',
        '4 POST /v2/bots',
        '2.6 calendar name',
        '8 daily bot cap',
      ]),
    );
  });

  test('refuses a missing row, an unknown one, a title that no test has and an empty proof', () => {
    const problems = findCoverageProblems(
      files(
        '| 2.1 bot_name | | `apps/x/src/a.test.ts` › "a long name" |\n| 2.1 nothing | | later: issue 7. 422 |\n| 2.2 participants | | `apps/x/src/a.test.ts` › "gone" |\n| 2.2 participants.id | | soon |',
      ),
    );
    const about = (row: string) => problems.filter((problem) => problem.includes(`"${row}"`));
    expect(about('2.1 bot_name')).toEqual([]);
    expect(about('2.1 nothing').join()).toContain('do not know');
    expect(about('2.2 participants').join()).toContain('no test called "gone"');
    expect(about('2.2 participants.id').join()).toContain('write `file`');
    expect(about('4 POST /v2/bots').join()).toContain('lacks the row');
  });

  test('leaves head and rule of a table out', () => {
    expect(readCoverage('| row | rule | proof |\n|---|---|---|\n| 5 rule 1 | x | y |')).toEqual([
      { id: '5 rule 1', proof: 'y' },
    ]);
  });
});

const at = (day: string) => endReminders(Date.parse(day));

test('the end of a model is no matter long before', () => {
  expect(at('2026-09-01')).toEqual([]);
});

test("a vendor's change of its own default is a reminder, which concerns no named model", () => {
  expect(at('2026-11-28')).toEqual([
    expect.stringMatching(/assemblyai.*2026-12-08, in 10 days; it is no default here/),
  ]);
  expect(at('2026-12-09')).toEqual([]);
});

test('the end of a current default is a reminder before and after it', () => {
  expect(at('2027-02-01')[0]).toMatch(/whisper-1 ends on 2027-02-26, in 25 days; it is the current default/);
  expect(at('2027-02-26')).toEqual([expect.stringMatching(/whisper-1 ended on 2027-02-26.*name another/)]);
});

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
