import { expect, test } from '@jest/globals';
import { linesByArea, linesTable } from './count-lines.ts';

test('sources count in every area that holds them; tests, fixtures and generated files in none', () => {
  const lines = linesByArea([
    'apps/bot-scheduler/src/listing/a.ts:40',
    'apps/bot-scheduler/src/listing/a.integration.test.ts:300',
    'apps/bot-scheduler/src/testing/listing/b.ts:20',
    'libs/contracts/src/generated/c.ts:9000',
    'libs/recorder/src/recorder.ts:10',
    '',
  ]);
  expect(lines.get('lists')).toBe(40);
  expect(lines.get('recorder and runner')).toBe(10);
  expect(lines.get('all apps and libraries')).toBe(50);
});

test('the table shows both revisions beside the goal', () => {
  const [head, , lists] = linesTable(new Map([['lists', 900]]), new Map([['lists', 690]]));
  expect(head).toBe('| area | lines before | lines | goal |');
  expect(lists).toBe('| lists | 900 | 690 | at most 600 |');
  expect(linesTable(null, new Map())[0]).toBe('| area | lines | goal |');
});
