import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apiDocuments } from '../document/documents.ts';
import type { ApiDocument, Operation } from '../document/document.ts';
import { constraintsOf } from './constraints.ts';
import { meanings } from './meanings.ts';
import { faultsOf, mutantsOf } from './mutants.ts';
import { ValidValues } from './valid.ts';

const seed = 20_261_121;
const bodies = apiDocuments().flatMap((document) =>
  document.operations.flatMap((operation) =>
    operation.body === null
      ? []
      : [{ name: `${document.name} ${operation.id}`, document, operation, schema: operation.body.schema }],
  ),
);

describe('generated bodies', () => {
  test.each(bodies)('of $name fit the contract', ({ document, schema }) => {
    for (const values of [new ValidValues(document), new ValidValues(document, meanings)]) {
      fc.assert(
        fc.property(values.of(schema), (value) => document.fits(schema, JSON.parse(JSON.stringify(value)))),
        { seed, numRuns: 40 },
      );
    }
  });

  test.each(bodies)('of $name have faults in them', ({ document, schema }) => {
    const values = fc.sample(new ValidValues(document, meanings).of(schema), { seed, numRuns: 15 });
    expect(values.flatMap((value) => mutantsOf(document, schema, value))).not.toEqual([]);
  });

  test('leave optional members out, give them, and give null where null may be', () => {
    const { values, document } = createBody();
    const sample = fc.sample(values, { seed, numRuns: 400 }) as Record<string, unknown>[];
    for (const member of ['extra', 'entry_message', 'timeout_config', 'allow_multiple_bots', 'callback_config']) {
      const found = new Set(sample.map((body) => (member in body ? 'given' : 'absent')));
      expect({ member, found: [...found].sort() }).toEqual({ member, found: ['absent', 'given'] });
    }
    expect(sample.some((body) => body['extra'] === null)).toBe(true);
    expect(document.operations.length).toBeGreaterThan(10);
  });

  test('reach the edges of every range', () => {
    const { values } = createBody();
    const sample = fc.sample(values, { seed, numRuns: 1_500 }) as { timeout_config?: Record<string, unknown> }[];
    const seen = new Set(sample.map((body) => body.timeout_config?.['waiting_room_timeout']));
    expect([120, 1_800].every((edge) => seen.has(edge))).toBe(true);
  });
});

describe('the faults', () => {
  test.each(apiDocuments().map((document) => ({ name: document.name, document })))(
    'hold, for each rule of $name, a value that this rule alone refuses',
    ({ document }) => {
      const rules = constraintsOf(document);
      expect(rules.length).toBeGreaterThan(50);
      const valid = new ValidValues(document);
      const unproven = rules.filter(({ schema, dropped }) => {
        const values = fc.sample(valid.of(schema), { seed, numRuns: 6 });
        const faults = values.flatMap((value) => faultsOf(schema, value));
        return !faults.some(({ value }) => document.fits(dropped, value) && !document.fits(schema, value));
      });
      expect(unproven.map(({ name }) => name)).toEqual([]);
    },
  );

  test('cover type, range, enumeration, a missing member and an extra one', () => {
    const { document, operation } = createBody();
    const whole = {
      bot_name: 'x',
      meeting_url: 'https://meet.google.com/abc-defg-hij',
      recording_mode: 'audio_only',
      timeout_config: { grace_period: 0 },
    };
    const reasons = mutantsOf(document, operation.body?.schema ?? {}, whole).map(({ reason }) => reason);
    for (const wanted of [
      '/bot_name: a number where string belongs',
      '/bot_name: longer than allowed',
      '/: bot_name is missing',
      '/: an extra member',
      '/recording_mode: none of the allowed values',
      '/timeout_config/grace_period: above the maximum',
      '/timeout_config/grace_period: below the minimum',
      '/meeting_url: off the pattern',
    ]) {
      expect(reasons).toContain(wanted);
    }
  });
});

function createBody(): { document: ApiDocument; operation: Operation; values: fc.Arbitrary<unknown> } {
  const [document] = apiDocuments();
  const operation = document?.operations.find(({ id }) => id === 'createBot');
  if (document === undefined || operation?.body == null) throw new Error('The document has no createBot with a body.');
  return { document, operation, values: new ValidValues(document, meanings).of(operation.body.schema) };
}
