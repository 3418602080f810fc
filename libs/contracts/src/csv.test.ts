import { describe, expect, test } from '@jest/globals';
import { csvOf } from './csv.ts';

describe('CSV', () => {
  test('has a header and one line for each row, with nothing for null', () => {
    expect(csvOf([{ bot_id: 'b', cpu_seconds: null, tokens: 1800 }])).toBe('bot_id,cpu_seconds,tokens\r\nb,,1800\r\n');
  });

  test('has the header of the given columns also without rows', () => {
    expect(csvOf([], ['day', 'bots'])).toBe('day,bots\r\n');
  });

  test('quotes separators, and keeps a spreadsheet from running a text', () => {
    expect(csvOf([{ a: 'one, "two"\n', b: '=cmd()', c: -1 }])).toBe('a,b,c\r\n"one, ""two""\n",\'=cmd(),-1\r\n');
  });
});
