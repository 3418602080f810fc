import { expect, test } from '@jest/globals';
import { queryInteger } from './read-input.ts';

test('a whole number of a query is read in decimal digits and within its bounds', () => {
  const limit = queryInteger(1, 250);
  expect(limit.parse('50')).toBe(50);
  for (const refused of ['0', '251', '', ' 5', '1e2', '0x10', '5.5', '9'.repeat(40)])
    expect({ refused, accepted: limit.safeParse(refused).success }).toEqual({ refused, accepted: false });
});
