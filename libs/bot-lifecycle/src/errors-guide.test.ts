import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { endReasons } from './end-reasons.ts';

test('docs/guides/errors.md has one row with cause, remedy and who can act for each end code', () => {
  const page = readFileSync(new URL('../../../docs/guides/errors.md', import.meta.url), 'utf8');
  const before = page.slice(0, page.indexOf('## Refused requests'));
  const rows = [...before.matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|([^|]*)\| ([^|]+) \|$/gm)];
  expect(rows.map(([, code = '']) => code).toSorted()).toEqual(Object.keys(endReasons).toSorted());
  const mute = rows.filter(([, code = '', , remedy = '']) => remedy.trim() === '' && code !== 'API_REQUEST');
  expect(mute.map(([, code]) => code)).toEqual([]);
});
