import { describe, expect, test } from '@jest/globals';
import { readRange } from './byte-range.ts';

describe('a Range header on an object of 1000 bytes', () => {
  test.each([
    [undefined, 'all'],
    ['bytes=0-', { first: 0, last: 999 }],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=200-299', { first: 200, last: 299 }],
    ['bytes=900-5000', { first: 900, last: 999 }],
    ['bytes=-100', { first: 900, last: 999 }],
    ['bytes=-5000', { first: 0, last: 999 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=300-200', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['bytes=-', 'all'],
    ['items=0-1', 'all'],
    ['bytes=a-b', 'all'],
  ])('%s gives %j', (header, expected) => {
    expect(readRange(header, 1000)).toEqual(expected);
  });

  test('nothing of an empty object can be had by range', () => {
    expect(readRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(readRange('bytes=-5', 0)).toBe('unsatisfiable');
  });
});
