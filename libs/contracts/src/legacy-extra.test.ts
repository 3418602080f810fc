import { expect, test } from '@jest/globals';
import { shownLegacyExtra, unwrapLegacyExtra, wrapLegacyExtra } from './index.ts';

test.each([
  [null],
  ['text'],
  [''],
  [7],
  [0],
  [false],
  [[1, { a: 2 }]],
  [{}],
  [{ customer: '42' }],
  [{ legacy_extra: 'mine' }],
  [{ legacy_extra: { legacy_extra: null } }],
])('the legacy extra %j travels as an object or null and comes back as it was', (extra) => {
  const wrapped = wrapLegacyExtra(extra);
  expect(wrapped === null || (typeof wrapped === 'object' && !Array.isArray(wrapped))).toBe(true);
  expect(unwrapLegacyExtra(wrapped)).toEqual(extra);
});

test.each([
  [null, {}],
  [{}, {}],
  [{ customer: '42' }, { customer: '42' }],
  ['text', 'text'],
  [0, 0],
])('the legacy extra %j is shown as %j', (extra, shown) => {
  expect(shownLegacyExtra(wrapLegacyExtra(extra))).toEqual(shown);
});
