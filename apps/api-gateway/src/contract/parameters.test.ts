import { describe, expect, test } from '@jest/globals';
import { readQuery } from './parameters.ts';

const read = (query: string) => Object.fromEntries(readQuery(`/v2/bots${query}`));

describe('a query', () => {
  test.each([
    ['', {}],
    ['?', {}],
    ['?a=1&b=2', { a: ['1'], b: ['2'] }],
    ['?a=1&a=2', { a: ['1', '2'] }],
    ['?a=x%2By+z%20%F0%9F%8E%89', { a: ['x+y z 🎉'] }],
    ['?a&b=&&=c', { a: [''], b: [''], '': ['c'] }],
    ['?__proto__=1', Object.fromEntries([['__proto__', ['1']]])],
  ])('%s is read', (query, values) => {
    expect(read(query)).toEqual(values);
  });

  test.each([
    ['?a=%', 'percent-encoded'],
    ['?a=%E0%A4%A', 'percent-encoded'],
    ['?%FF=1', 'percent-encoded'],
    ['?a=%00', 'a: contains a NUL character'],
    [`?${'a&'.repeat(101)}`, 'more than 100 parameters'],
  ])('%s is refused', (query, message) => {
    expect(() => read(query)).toThrow(message);
  });
});
