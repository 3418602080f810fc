import { expect, test } from '@jest/globals';
import { slowestReading } from '@rapporteur/testbed';
import { parseJson } from './json-text.ts';
import { readQuery } from './query.ts';

test.each<[what: string, length: number, read: (text: string) => unknown]>([
  ['a body', 256 * 1_024, (text) => parseJson(Buffer.from(text), () => true)],
  ['a text in a body', 256 * 1_024, (text) => parseJson(Buffer.from(JSON.stringify({ text })), () => true)],
  ['a query', 16 * 1_024, (text) => readQuery(`/v2/bots?${text}`)],
])('%s of hostile text takes at most 50 ms', (_what, length, read) => {
  const { ms, text } = slowestReading(length, read);
  expect({ text, slow: ms > 50 }).toEqual({ text, slow: false });
});
