import { describe, expect, test } from '@jest/globals';
import { initialsOf, shortened } from './gallery-painter.page.ts';

describe('what is written of a name', () => {
  test.each([
    ['Alice Martin', 'AM'],
    ['alice', 'A'],
    ['Anna Maria von Berg', 'AB'],
    ['Čeněk Dvořák-Żółtowski', 'ČŻ'],
    ['Bruno (Keller Ltd)', 'BL'],
    ['  ', '?'],
    [null, '?'],
    ['李明', '李'],
    ['😀 Joy', 'J'],
    ['+49 170 1234567', '11'],
  ])('of %j the initials are %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  test('as much as fits, and a sign that more follows', () => {
    const widthOf = (text: string): number => text.length * 10;
    expect(shortened('Alice Martin', 120, widthOf)).toBe('Alice Martin');
    expect(shortened(' Alice ', 60, widthOf)).toBe('Alice');
    expect(shortened('Alice Martin', 80, widthOf)).toBe('Alice M…');
    expect(shortened('Alice Martin', 70, widthOf)).toBe('Alice…');
    expect(shortened('Alice Martin', 10, widthOf)).toBe('');
    expect(shortened('', 100, widthOf)).toBe('');
  });
});
