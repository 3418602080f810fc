import { describe, expect, test } from '@jest/globals';
import { findUnstorable } from './storable.ts';

describe('a body that can be kept', () => {
  test.each([null, undefined, 'text', 1.5, [], { extra: { 'any key': [1, { deep: '日本語 🎉' }] } }])(
    'is %j',
    (value) => {
      expect(findUnstorable(value, 'body')).toBeNull();
    },
  );

  test.each([
    ['a NUL character', { bot_name: 'a\0b' }, 'body/bot_name contains a NUL character'],
    ['a NUL character in a key', { extra: { 'a\0': 1 } }, 'body/extra contains a NUL character'],
    ['half of a character', { extra: ['\ud800'] }, 'body/extra/0 contains half of a character (a lone surrogate)'],
    ['a number beyond JSON', JSON.parse('{"extra":{"n":1e999}}'), 'body/extra/n is a number too large to keep'],
    ['endless list', { extra: Array(50_000).fill(1) }, 'body holds more than 50000 values'],
    [
      'deep nesting',
      JSON.parse(`{"extra":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
      'is nested more than 64 levels deep',
    ],
  ])('has no %s', (_what, value, problem) => {
    expect(findUnstorable(value, 'body')).toContain(problem);
  });
});
