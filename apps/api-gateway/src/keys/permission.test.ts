import { describe, expect, test } from '@jest/globals';
import { publicOperations } from '@rapporteur/contracts/public-api';
import { permits } from './permission.ts';

describe('a permission', () => {
  test.each([
    ['full', 'full', true],
    ['full', 'sending', true],
    ['sending', 'sending', true],
    ['sending', 'full', false],
  ] as const)('%s on an operation that needs %s: %s', (held, needed, response) => {
    expect(permits(held, needed)).toBe(response);
  });

  test('Sending Access never reads, changes or deletes anything', () => {
    const open = publicOperations().filter((operation) => permits('sending', operation.permission));
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter((operation) => operation.method !== 'post')).toEqual([]);
  });
});
