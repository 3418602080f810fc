import { describe, expect, test } from '@jest/globals';
import { ApiDocument } from '../document/document.ts';
import { forbiddenBody, judge } from './judge.ts';
import type { ServiceResponse, Expectation, PlannedRequest } from './request.ts';
import { shrink, smallerThan } from './fuzz.ts';

const named = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string' } },
};
const responded = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } });
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
          201: responded({
            type: 'object',
            required: ['data', 'errors'],
            properties: { data: { type: 'array' }, errors: { type: 'array' } },
          }),
          400: responded({ type: 'object', required: ['code'] }),
          404: responded({ type: 'object', required: ['code'] }),
          403: responded({ type: 'object', required: ['code'] }),
          422: responded({ type: 'object', required: ['code'] }),
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
const response = (status: number, json: unknown, over: Partial<ServiceResponse> = {}): ServiceResponse => ({
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
const kindsOf = (expectation: Expectation, given: ServiceResponse, value?: unknown): string[] =>
  judge(document, request(expectation, value), given).map(({ kind }) => kind);

describe('a response that keeps every promise', () => {
  test.each<[string, Expectation, ServiceResponse]>([
    ['a request that fits', fits, response(201, made)],
    ['a rule across fields', { kind: 'fits', refusal: 'one at a time' }, response(400, envelope(400))],
    ['a misfit refused', { kind: 'misfits', reason: 'x' }, response(400, envelope(400))],
    ['an unknown id', { kind: 'unknown id' }, response(404, envelope(404))],
    [
      'an unknown id beside what is not offered',
      { kind: 'unknown id' },
      response(422, { ...envelope(422), code: 'FST_ERR_NOT_CONFIGURED' }),
    ],
    [
      'the exact 403',
      { kind: 'forbidden', reason: 'x', lacksPermission: true },
      response(403, JSON.parse(forbiddenBody)),
    ],
    ['a used key', { kind: 'key reused' }, response(422, envelope(422))],
  ])('has no finding: %s', (_what, expectation, given) => {
    expect(kindsOf(expectation, given)).toEqual([]);
  });
});

describe('a broken promise is found', () => {
  test.each<[string, Expectation, ServiceResponse]>([
    ['server error', fits, response(500, envelope(500))],
    ['undocumented status', fits, response(418, envelope(418))],
    ['off schema', fits, response(201, { data: 'none', errors: [] })],
    ['envelope', fits, response(404, { code: 'CODE' })],
    ['envelope', { kind: 'odd', reason: 'path' }, response(429, envelope(429))],
    ['slow', fits, response(201, made, { durationMs: 10_001 })],
    ['misfit accepted', { kind: 'misfits', reason: 'x' }, response(201, made)],
    ['fitting refused', fits, response(400, envelope(400))],
    ['access', { kind: 'unknown id' }, response(201, made)],
    ['access', { kind: 'unknown id' }, response(422, envelope(422))],
    ['access', { kind: 'forbidden', reason: 'x', lacksPermission: true }, response(403, envelope(403))],
    ['repetition', { kind: 'repetition', status: 201, body: '{}' }, response(201, made)],
    ['leak', fits, response(404, envelope(404, 'at Object.run (/srv/rapporteur/apps/x.ts:3:7)'))],
    ['leak', fits, response(404, envelope(404, 'insert into bots failed'))],
    ['leak', fits, response(404, envelope(404, 'connect ECONNREFUSED 127.0.0.1:5432'))],
  ])('%s', (kind, expectation, given) => {
    expect(kindsOf(expectation, given)).toContain(kind);
  });

  test('in a member that the document does not name', () => {
    expect(kindsOf(fits, response(201, { ...made, more: 1 }))).toContain('off schema');
  });

  test('in a batch: an item without a response, and one that does not fit among the made', () => {
    expect(kindsOf(fits, response(201, made), [{ name: 'x' }, { name: 'y' }])).toEqual(['state']);
    expect(kindsOf(fits, response(201, made), [{ name: 7 }])).toEqual(['misfit accepted']);
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
