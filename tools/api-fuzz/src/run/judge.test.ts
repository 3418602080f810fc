import { describe, expect, test } from '@jest/globals';
import { ApiDocument } from '../document/document.ts';
import { forbiddenBody, judge } from './judge.ts';
import type { Answer, Expectation, PlannedRequest } from './request.ts';
import { shrink, smallerThan } from './shrink.ts';

const named = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string' } },
};
const answered = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } });
const document = new ApiDocument('v2', {
  paths: {
    '/things': {
      post: {
        operationId: 'makeThings',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Things' } } },
        },
        responses: {
          201: answered({
            type: 'object',
            required: ['data', 'errors'],
            properties: { data: { type: 'array' }, errors: { type: 'array' } },
          }),
          400: answered({ type: 'object', required: ['code'] }),
          404: answered({ type: 'object', required: ['code'] }),
          403: answered({ type: 'object', required: ['code'] }),
          422: answered({ type: 'object', required: ['code'] }),
        },
      },
    },
  },
  components: { schemas: { Thing: named, Things: { type: 'array', 'x-item-schema': 'Thing', items: {} } } },
});

const fits: Expectation = { kind: 'fits', refusal: null };
const request = (expectation: Expectation, value: unknown = [{ name: 'x' }]): PlannedRequest => {
  const [operation] = document.operations;
  if (operation === undefined) throw new Error('The document has no operation.');
  const body = Buffer.from(JSON.stringify(value));
  return { operation, generation: 'v2', method: 'POST', target: '/things', headers: {}, body, value, expectation };
};
const answer = (status: number, json: unknown, over: Partial<Answer> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(json),
  json,
  durationMs: 5,
  ...over,
});
const envelope = (statusCode: number, message = 'No.') => ({
  success: false,
  error: 'Error',
  code: 'CODE',
  statusCode,
  message,
});
const made = { data: [{ index: 0 }], errors: [] };
const kindsOf = (expectation: Expectation, given: Answer, value?: unknown): string[] =>
  judge(document, request(expectation, value), given).map(({ kind }) => kind);

describe('an answer that keeps every promise', () => {
  test.each<[string, Expectation, Answer]>([
    ['a request that fits', fits, answer(201, made)],
    ['a rule across fields', { kind: 'fits', refusal: 'one at a time' }, answer(400, envelope(400))],
    ['a misfit refused', { kind: 'misfits', reason: 'x' }, answer(400, envelope(400))],
    ['an unknown id', { kind: 'unknown id' }, answer(404, envelope(404))],
    [
      'the exact 403',
      { kind: 'forbidden', reason: 'x', lacksPermission: true },
      answer(403, JSON.parse(forbiddenBody)),
    ],
    ['a used key', { kind: 'key reused' }, answer(422, envelope(422))],
  ])('has no finding: %s', (_what, expectation, given) => {
    expect(kindsOf(expectation, given)).toEqual([]);
  });
});

describe('a broken promise is found', () => {
  test.each<[string, Expectation, Answer]>([
    ['server error', fits, answer(500, envelope(500))],
    ['undocumented status', fits, answer(418, envelope(418))],
    ['off schema', fits, answer(201, { data: 'none', errors: [] })],
    ['envelope', fits, answer(404, { code: 'CODE' })],
    ['envelope', { kind: 'odd', reason: 'path' }, answer(429, envelope(429))],
    ['slow', fits, answer(201, made, { durationMs: 3_001 })],
    ['misfit accepted', { kind: 'misfits', reason: 'x' }, answer(201, made)],
    ['fitting refused', fits, answer(400, envelope(400))],
    ['access', { kind: 'unknown id' }, answer(201, made)],
    ['access', { kind: 'forbidden', reason: 'x', lacksPermission: true }, answer(403, envelope(403))],
    ['repetition', { kind: 'repetition', status: 201, body: '{}' }, answer(201, made)],
    ['leak', fits, answer(404, envelope(404, 'at Object.run (/srv/rapporteur/apps/x.ts:3:7)'))],
    ['leak', fits, answer(404, envelope(404, 'insert into bots failed'))],
    ['leak', fits, answer(404, envelope(404, 'connect ECONNREFUSED 127.0.0.1:5432'))],
  ])('%s', (kind, expectation, given) => {
    expect(kindsOf(expectation, given)).toContain(kind);
  });

  test('in a member that the document does not name', () => {
    expect(kindsOf(fits, answer(201, { ...made, more: 1 }))).toContain('off schema');
  });

  test('in a batch: an item without an answer, and one that does not fit among the made', () => {
    expect(kindsOf(fits, answer(201, made), [{ name: 'x' }, { name: 'y' }])).toEqual(['state']);
    expect(kindsOf(fits, answer(201, made), [{ name: 7 }])).toEqual(['misfit accepted']);
  });
});

describe('a body that fails', () => {
  test('is cut down to what still fails', async () => {
    const body = { name: 'long text', extra: { deep: [1, { wrong: true, right: 2 }] }, other: null };
    const fails = (value: unknown): Promise<boolean> => Promise.resolve(JSON.stringify(value).includes('"wrong":true'));
    expect(await shrink(body, fails)).toEqual({ extra: { deep: [{ wrong: true }] } });
  });

  test('has nothing smaller once it is empty', () => {
    expect([{}, [], 'x', 7, null].flatMap((value) => smallerThan(value))).toEqual([]);
  });
});
