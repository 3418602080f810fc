import { describe, expect, test } from '@jest/globals';
import { slowestReading } from '@rapporteur/testbed';
import { parseJson } from './json-text.ts';
import { readQuery } from './parameters.ts';

const expectFast = ({ ms, text }: { ms: number; text: string }): void =>
  expect({ text, ms, slow: ms > 50 }).toEqual({ text, ms, slow: false });

describe('hostile text takes at most 50 ms', () => {
  test('as a body', () => {
    expectFast(slowestReading(256 * 1_024, (body) => parseJson(body, () => true), Buffer.from));
  });

  test('as a text in a body', () => {
    const bodyWith = (text: string): Buffer => Buffer.from(JSON.stringify({ text }));
    expectFast(slowestReading(256 * 1_024, (body) => parseJson(body, () => true), bodyWith));
  });

  test('as a query', () => {
    expectFast(slowestReading(16 * 1_024, (text) => readQuery(`/v2/bots?${text}`)));
  });
});
