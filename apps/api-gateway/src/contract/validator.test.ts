import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { smallDocument } from '../testing/small-document.ts';
import { bodyOperation } from './document.ts';
import { createCheck } from './openapi-check.ts';
import { acceptedOf, createContract } from './validator.ts';
import type { Accepted } from './validator.ts';

const contract = createContract({ document: smallDocument });

interface Given {
  readonly params?: Record<string, string>;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string | Buffer;
}

/** The request after validation; rejects with the problems. */
async function accept(id: string, { params = {}, url = '/', headers = {}, body, text }: Given = {}): Promise<Accepted> {
  const operation = contract.operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`No ${id}.`);
  const payload = Buffer.from(text ?? (body === undefined ? '' : JSON.stringify(body)));
  const request = Object.assign(Readable.from(payload.byteLength === 0 ? [] : [payload]), {
    params,
    url,
    headers: {
      ...(payload.byteLength === 0
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(payload.byteLength) }),
      ...headers,
    },
  }) as unknown as Request;
  for (const handler of contract.accept(operation)) await handler(request, {} as Response, () => undefined);
  return acceptedOf(request);
}

const refusal = (id: string, given: Given) =>
  accept(id, given).then(
    () => 'accepted',
    (error: Error & { statusCode: number }) => `${error.statusCode} ${error.message}`,
  );

describe('parameters', () => {
  test('become what the document says, with defaults', async () => {
    const url = '/things?deep=true&ratio=-0.5&since=2026-11-21T09:00:00Z';
    expect((await accept('listThings', { url })).query).toEqual({
      deep: true,
      ratio: -0.5,
      since: '2026-11-21T09:00:00Z',
      limit: 50,
    });
    expect((await accept('pokeThing', { params: { thing_id: '7' } })).params).toEqual({ thing_id: 7 });
  });

  test('that may be null are left out by the text null, and no others', async () => {
    expect((await accept('listThings', { url: '/things?deep=null' })).query).toEqual({ limit: 50 });
    for (const name of ['limit', 'ratio', 'since'])
      expect(await refusal('listThings', { url: `/things?${name}=null` })).toContain(`400 ${name}: must `);
  });

  test.each([
    ['/things?limit=101', 'limit: must be <= 100'],
    ['/things?limit=0x10', 'limit: must be integer'],
    ['/things?limit=1e1', 'limit: must be integer'],
    ['/things?limit=%205', 'limit: must be integer'],
    ['/things?limit=1.5', 'limit: must be integer'],
    ['/things?limit=', 'limit: must not be empty'],
    ['/things?limit=1&limit=2', 'limit: must be given once'],
    ['/things?deep=1', 'deep: must be boolean,null'],
    ['/things?since=yesterday', 'since: must match format "date-time"'],
    ['/things?a=1&b=2', 'a: is not a parameter of this operation, b: is not a parameter of this operation'],
    ['/things?__proto__=1', '__proto__: is not a parameter of this operation'],
  ])('%s is refused: %s', async (url, message) => {
    expect(await refusal('listThings', { url })).toBe(`400 ${message}`);
  });

  test('in paths and headers are checked like those in the query', async () => {
    expect(await refusal('pokeThing', { params: { thing_id: '0' } })).toBe('400 thing_id: must be >= 1');
    const body = { name: 'x' };
    expect(await refusal('makeThing', { body, headers: { 'x-mood': 'enthusiastic' } })).toContain('x-mood: must NOT');
    expect((await accept('makeThing', { body, headers: { 'x-mood': 'calm' } })).headers).toEqual({ 'x-mood': 'calm' });
  });
});

describe('a body', () => {
  test('gets its defaults, also inside objects', async () => {
    expect((await accept('makeThing', { body: { name: 'x' } })).body).toEqual({
      name: 'x',
      colour: 'red',
      size: { high: 2 },
      extra: null,
    });
  });

  test.each([
    [{ name: '' }, 'name: must NOT have fewer than 1 characters'],
    [{}, 'name: is required'],
    [{ name: 'x', colour: 'blue' }, 'colour: must be equal to one of the allowed values: red, green'],
    [{ name: 'x', size: { wide: 1 } }, 'size.wide: must NOT have additional properties'],
    [
      { name: 'x', group: 'us', parts: [] },
      'group: must match format "email", or must NOT have more than 0 characters',
    ],
    [{ name: 'x', group: '' }, 'parts: is required'],
    [{ name: 'x', extra: { text: 'x'.repeat(100) } }, 'extra: must NOT be longer than 100 bytes as JSON'],
    [{ name: 'x', extra: [] }, 'extra: must be object,null'],
    [{ name: 'x', 'a/b~c': 1 }, 'a.b~c: must NOT have additional properties'],
    [{ name: 7, extra: 7 }, 'name: must be string, extra: must be object,null'],
    [null, 'body: must be object'],
  ])('%j is refused: %s', async (body, message) => {
    expect(await refusal('makeThing', { body })).toBe(`400 ${message}`);
  });

  test('counts free-form members in bytes, not in characters', async () => {
    expect(await refusal('makeThing', { body: { name: 'x', extra: { a: 'ä'.repeat(46) } } })).toBe('accepted');
    expect(await refusal('makeThing', { body: { name: 'x', extra: { a: 'ä'.repeat(47) } } })).toContain('100 bytes');
  });

  test('that is large gets its first error only', async () => {
    const parts = Array.from({ length: 9_000 }, () => 12_345_678);
    expect(await refusal('makeThing', { body: { name: '', parts } })).toBe(
      '400 name: must NOT have fewer than 1 characters',
    );
    expect(await refusal('makeThing', { body: { name: 'x', parts: [1, 2, 3] } })).toBe(
      '400 parts[0]: must be string, parts[1]: must be string, parts[2]: must be string',
    );
  });

  test('that is missing gets an error, unless it is optional', async () => {
    expect(await refusal('makeThing', {})).toBe('400 body: is required: send it as application/json');
    expect(await refusal('makeThing', { headers: { 'content-type': 'application/json', 'content-length': '0' } })).toBe(
      '400 body: is required: send it as application/json',
    );
    const params = { thing_id: '1' };
    expect((await accept('pokeThing', { params })).body).toBeNull();
    expect((await accept('pokeThing', { params, text: 'null' })).body).toBeNull();
    expect((await accept('pokeThing', { params, body: {} })).body).toEqual({ force: 1 });
    expect(await refusal('pokeThing', { params, body: { force: 'much' } })).toBe('400 force: must be integer');
  });

  test.each([
    ['application/json; charset=latin1', {}, '415'],
    ['application/json; charset="utf-8"', {}, 'accepted'],
    ['APPLICATION/JSON', {}, 'accepted'],
    ['application/jsonp', {}, '415'],
    ['text/plain', {}, '415'],
    ['application/json', { 'content-encoding': 'gzip' }, '415'],
    ['application/json', { 'content-length': String(1024 * 1024 + 1) }, '413'],
  ])('as %s %j gets %s', async (type, headers, outcome) => {
    const given = { body: { name: 'x' }, headers: { 'content-type': type, ...headers } };
    expect(await refusal('makeThing', given)).toMatch(new RegExp(`^${outcome}`));
  });

  test('in chunks is cut off at the limit of its operation', async () => {
    const headers = {
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      'content-length': undefined as never,
    };
    const long = JSON.stringify([{ name: 'x', extra: null, parts: ['x'.repeat(2 * 1024 * 1024)] }]);
    expect(await refusal('makeThing', { text: long, headers })).toMatch(/^413/);
    expect(await refusal('makeThings', { text: long, headers })).toBe('accepted');
  });
});

describe('a batch', () => {
  test('hands every item on, whole or with what is wrong with it', async () => {
    const body = [{ name: 'one' }, { name: '', size: 1 }, 'three'];
    expect((await accept('makeThings', { body })).body).toEqual({
      items: [
        { index: 0, body: { name: 'one', colour: 'red', size: { high: 2 }, extra: null } },
        {
          index: 1,
          error: {
            code: 'VALIDATION_ERROR',
            message: 'name: must NOT have fewer than 1 characters, size: must be object',
            details: null,
          },
        },
        { index: 2, error: { code: 'VALIDATION_ERROR', message: 'body: must be object', details: null } },
      ],
    });
  });

  test.each([
    [[], 'body: must NOT have fewer than 1 items'],
    [[1, 2, 3, 4], 'body: must NOT have more than 3 items'],
    [{ name: 'x' }, 'body: must be array'],
    [null, 'body: must be array'],
  ])('%j is refused as a whole: %s', async (body, message) => {
    expect(await refusal('makeThings', { body })).toBe(`400 ${message}`);
  });
});

describe('a document', () => {
  test.each([
    ['without an owner', { ...smallDocument.paths['/things'].get, 'x-owner': undefined }],
    [
      'with a reference to nothing',
      { ...smallDocument.paths['/things'].get, parameters: [{ $ref: '#/components/no' }] },
    ],
    ['whose answers are no answers', { ...smallDocument.paths['/things'].get, responses: 7 }],
  ])('%s cannot be used', (_what, get) => {
    const document = { ...smallDocument, paths: { '/things': { get } } };
    expect(() => createContract({ document })).toThrow('cannot be used for validation');
  });

  test('with a schema that cannot be compiled lets no request pass', async () => {
    const check = createCheck(bodyOperation({}, { type: 'string', pattern: '(' }));
    await expect(check({ path: '/', body: 'anything' })).rejects.toThrow('Invalid regular expression');
  });

  test('is left as it is', () => {
    const before = JSON.stringify(smallDocument);
    createContract({ document: smallDocument });
    expect(JSON.stringify(smallDocument)).toBe(before);
  });
});
