import { describe, expect, test } from '@jest/globals';
import { findImportCycles } from './cycles.ts';

function problemsOf(
  imports: Record<string, readonly string[]>,
  accepted: Record<string, readonly string[]> = {},
): string[] {
  const read = (path: string): string =>
    (imports[path] ?? []).map((specifier) => `import type { X } from '${specifier}';`).join('\n');
  return findImportCycles({ paths: Object.keys(imports), read }, accepted);
}

describe('the cycle check', () => {
  test('names a cycle of files once, its shortest form', () => {
    const problems = problemsOf({
      'libs/x/src/a.ts': ['./b.ts'],
      'libs/x/src/b.ts': ['./c.ts', './a.ts'],
      'libs/x/src/c.ts': ['./a.ts'],
    });
    expect(problems[0]).toContain('libs/x/src/a.ts -> libs/x/src/b.ts -> libs/x/src/a.ts');
    expect(problems.join()).toContain('libs/x/src/c.ts -> libs/x/src/a.ts');
  });

  test('finds folders of an app that import each other through different files, and states by which', () => {
    const [problem, ...others] = problemsOf({
      'apps/x/src/one/a.ts': ['../two/b.ts'],
      'apps/x/src/one/c.ts': [],
      'apps/x/src/two/b.ts': [],
      'apps/x/src/two/d.ts': ['../one/c.ts'],
    });
    expect(problem).toContain('apps/x/src/one/a.ts imports apps/x/src/two/b.ts');
    expect(problem).toContain('apps/x/src/two/d.ts imports apps/x/src/one/c.ts');
    expect(others).toEqual([]);
  });

  test('leaves tests, folders of other packages and imports in one direction alone', () => {
    expect(
      problemsOf({
        'apps/x/src/one/a.ts': ['../two/b.ts'],
        'apps/x/src/two/b.ts': [],
        'apps/x/src/two/b.test.ts': ['../one/a.ts'],
        'libs/x/src/one/a.ts': ['../two/b.ts'],
        'libs/x/src/two/b.ts': [],
        'libs/x/src/two/c.ts': ['../one/a.ts'],
      }),
    ).toEqual([]);
  });

  test('accepts a listed import of a folder as long as it closes a cycle', () => {
    const accepted = { 'apps/x/src': ['two -> one'] };
    const files = {
      'apps/x/src/one/a.ts': ['../two/b.ts'],
      'apps/x/src/two/b.ts': [],
      'apps/x/src/two/c.ts': ['../one/a.ts'],
    };
    expect(problemsOf(files, accepted)).toEqual([]);
    expect(problemsOf({ ...files, 'apps/x/src/two/c.ts': [] }, accepted)).toEqual([
      'apps/x/src/two -> apps/x/src/one closes no cycle any more: remove it from accepted-folder-cycles.ts.',
    ]);
    expect(problemsOf({ ...files, 'apps/x/src/one/a.ts': [] }, accepted)).toHaveLength(1);
  });
});
