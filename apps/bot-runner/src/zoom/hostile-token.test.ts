import { expect, test } from '@jest/globals';
import { slowestReading } from '@rapporteur/testbed';
import { readToken } from './zoom-tokens.ts';

test('a hostile response of an address for tokens takes at most 50 ms', () => {
  expect(slowestReading(8_192, (text) => readToken(Buffer.from(text))).ms).toBeLessThan(50);
});
