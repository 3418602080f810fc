import { describe, expect, test } from '@jest/globals';
import { canonicalText } from './idempotency.ts';

describe('the canonical text of a value', () => {
  test('does not depend on the order of members, at any depth', () => {
    expect(canonicalText({ b: [{ d: 1, c: 2 }], a: null })).toBe(canonicalText({ a: null, b: [{ c: 2, d: 1 }] }));
  });

  test('depends on everything else', () => {
    const texts = [
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: null },
      {},
      [],
      { b: 1 },
      { a: [2, 1] },
      { a: [1, 2] },
      null,
    ].map(canonicalText);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('takes any name for a name', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown;
    expect(canonicalText(odd)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });
});
