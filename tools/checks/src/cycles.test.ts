import { describe, expect, test } from '@jest/globals';
import { findImportCycles } from './cycles.ts';

function problemsOf(imports: Record<string, readonly string[]>): string[] {
  const read = (path: string): string =>
    (imports[path] ?? []).map((specifier) => `import type { X } from '${specifier}';`).join('\n');
  return findImportCycles({ paths: Object.keys(imports), read });
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

  test.each(['apps/x', 'libs/x'])('finds folders of %s that import each other, and states by which files', (root) => {
    const [problem, ...others] = problemsOf({
      [`${root}/src/one/a.ts`]: ['../two/b.ts'],
      [`${root}/src/one/c.ts`]: [],
      [`${root}/src/two/b.ts`]: [],
      [`${root}/src/two/d.ts`]: ['../one/c.ts'],
    });
    expect(problem).toContain(`${root}/src/one/a.ts imports ${root}/src/two/b.ts`);
    expect(problem).toContain(`${root}/src/two/d.ts imports ${root}/src/one/c.ts`);
    expect(others).toEqual([]);
  });

  test('leaves tests, folders of other packages and imports in one direction alone', () => {
    expect(
      problemsOf({
        'apps/x/src/one/a.ts': ['../two/b.ts'],
        'apps/x/src/two/b.ts': [],
        'apps/x/src/two/b.test.ts': ['../one/a.ts'],
        'tools/x/src/one/a.ts': ['../two/b.ts'],
        'tools/x/src/two/b.ts': [],
        'tools/x/src/two/c.ts': ['../one/a.ts'],
      }),
    ).toEqual([]);
  });
});
