import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { withFailureTable } from './document.ts';

const place = new URL('../../../docs/guides/errors.md', import.meta.url);

/** `UPDATE_DOCUMENTS=1 npm test -- libs/failures/src/document` writes the table. */
test('docs/guides/errors.md states every failure of the catalogue', () => {
  const page = readFileSync(place, 'utf8');
  const expected = withFailureTable(page);
  if (process.env['UPDATE_DOCUMENTS'] !== undefined) writeFileSync(place, expected);
  else expect(page).toBe(expected);
});
