import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { integrityReport } from './index.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const guide = read('docs/guides/integrity-report.md');

/** Names of all fields, and all values of enumerations, however deep. */
function wordsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, enum: values = [] } = schema as { properties?: object; enum?: unknown[] };
  const own = [...Object.keys(properties), ...values.filter((value) => typeof value === 'string')];
  return [...new Set([...own, ...Object.values(schema).flatMap(wordsIn)])];
}

describe('the guide to the integrity report', () => {
  test('shows an example that the schema accepts, the one that is kept as such', () => {
    const [, json = ''] = /```json\n([\s\S]+?)```/.exec(guide) ?? [];
    const shown: unknown = JSON.parse(json);
    expect(integrityReport.strict().parse(shown)).toEqual(shown);
    expect(shown).toEqual(JSON.parse(read('libs/contracts/examples/integrity-report.v1/whole.json')));
  });

  test('explains every field, every reason and every way', () => {
    const text = guide.replace(/```json[\s\S]+?```/, '');
    // The kinds of files are defined by the API document.
    const kinds = new Set(integrityReport.shape.files.element.shape.kind.options as string[]);
    const words = wordsIn(z.toJSONSchema(integrityReport)).filter((word) => !kinds.has(word));
    expect(words.length).toBeGreaterThan(60);
    expect(words.filter((word) => !text.includes(`\`${word}\``))).toEqual([]);
  });
});
