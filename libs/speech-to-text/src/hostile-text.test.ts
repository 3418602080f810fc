import { expect, test } from '@jest/globals';
import { slowestReading } from '@rapporteur/testbed';
import { findParameterProblem } from './custom-params.ts';

test.each<[what: string, length: number, read: (text: string) => unknown]>([
  ["the name of a customer's parameter", 16_384, (text) => findParameterProblem('deepgram', 'batch', { [text]: 'x' })],
])('%s of hostile text takes at most 50 ms', (_what, length, read) => {
  const { ms, text } = slowestReading(length, read);
  expect({ text, slow: ms > 50 }).toEqual({ text, slow: false });
});
