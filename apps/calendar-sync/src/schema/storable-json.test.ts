import { expect, test } from '@jest/globals';
import { storableJson } from './storable-json.ts';

test('JSON for PostgreSQL holds no character 0 and no half of a surrogate pair, and everything else as it came', () => {
  const kept = { title: 'Plan \u{1f3a5} "\\u0000" \\ud800', count: 2, list: [null, true, { at: 1.5 }] };
  expect(JSON.parse(storableJson(kept))).toEqual(kept);
  const odd = { 'a\0b': 'x\0y', list: ['\ud800', { end: 'z\udc00' }], count: 0 };
  expect(JSON.parse(storableJson(odd))).toEqual({ ab: 'xy', list: ['\ufffd', { end: 'z\ufffd' }], count: 0 });
});
