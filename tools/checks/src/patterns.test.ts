import { describe, expect, test } from '@jest/globals';
import { acceptedPatterns } from './accepted-patterns.ts';
import { findSlowPatterns, slownessOf } from './patterns.ts';

const accepted = Object.fromEntries(
  [...Map.groupBy(acceptedPatterns, ({ path }) => path)].map(([path, entries]) => [
    path,
    entries.map(({ pattern }) => `(${pattern});`).join('\n'),
  ]),
);
const problemsOf = (files: Record<string, string>): string[] => {
  const all = { ...accepted, ...files } as Record<string, string>;
  return findSlowPatterns({ paths: Object.keys(all), read: (path) => all[path] ?? '' });
};

describe('the rule about patterns', () => {
  test.each(['/(a+)+$/', '/<[^>]*>/g', '/\\s*\\n\\s*/', '/\\/+$/', '/[?#].*$/', '/a[^"]{0,9000}x$/'])(
    'refuses %s',
    (pattern) => {
      expect(slownessOf(pattern)).toMatch(/is slow/);
    },
  );

  test.each(['/^[a-z]{1,900}$/', '/\\s+/g', '/https?:\\/\\/\\S/', '/^\\d{1,15}$/'])('accepts %s', (pattern) => {
    expect(slownessOf(pattern)).toBeNull();
  });

  test('covers literals, patterns made while running and schemas, in apps and libs alone', () => {
    const source = 'const a = /(a+)+$/; const b = new RegExp(a); const c = RegExp("x");';
    expect(problemsOf({ 'apps/delivery/src/a.ts': source })).toHaveLength(3);
    expect(problemsOf({ 'tools/bench/src/a.ts': source, 'apps/delivery/src/a.test.ts': source })).toEqual([]);
    const schema = JSON.stringify({ properties: { a: { pattern: '^(a+)+$' }, pattern: { type: 'string' } } });
    expect(problemsOf({ 'libs/contracts/src/generated/a.json': schema })).toHaveLength(1);
  });

  test('names accepted patterns that are gone', () => {
    const [path = ''] = Object.keys(accepted);
    expect(problemsOf({ [path]: '' })).toEqual([expect.stringContaining('Remove it.')]);
  });
});
