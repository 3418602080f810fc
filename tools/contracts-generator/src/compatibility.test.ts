import { describe, expect, test } from '@jest/globals';
import { findBreaks, findLifted, surfaceOf } from './compatibility.ts';

type Json = Record<string, unknown>;

const request = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, mode: { enum: ['a', 'b'] } },
};
const response = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, note: { type: 'string' } } };

function documentOf(
  over: { request?: Json; response?: Json; parameters?: Json[]; paths?: Json; permission?: string } = {},
) {
  const post = {
    'x-permission': over.permission ?? 'sending',
    parameters: over.parameters ?? [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } },
    },
    responses: {
      '201': { content: { 'application/json': { schema: over.response ?? response } } },
      '400': { $ref: '#/components/responses/Bad' },
    },
  };
  return {
    paths: { '/things': { post }, ...over.paths },
    components: { schemas: { Request: over.request ?? request }, responses: { Bad: { description: 'Bad' } } },
  };
}
const kept = surfaceOf(documentOf());
const breaks = (over: Parameters<typeof documentOf>[0]) => findBreaks(kept, surfaceOf(documentOf(over)));
const withMember = (schema: Json, name: string, member: Json, required: string[]): Json => ({
  ...schema,
  required,
  properties: { ...(schema['properties'] as Json), [name]: member },
});

describe('a change of the contract', () => {
  test.each([
    ['nothing at all', {}],
    ['an optional member that may be sent', { request: withMember(request, 'size', { type: 'integer' }, ['name']) }],
    [
      'an optional object with a required member',
      { request: withMember(request, 'size', { type: 'object', required: ['x'], properties: { x: {} } }, ['name']) },
    ],
    ['another value that may be sent', { request: withMember(request, 'mode', { enum: ['a', 'b', 'c'] }, ['name']) }],
    ['a member that need not be sent any more', { request: { ...request, required: [] } }],
    ['another type that may be sent', { request: withMember(request, 'name', { type: ['string', 'null'] }, ['name']) }],
    [
      'a new member of the answer',
      { response: withMember(response, 'at', { type: ['string', 'null'] }, ['id', 'at']) },
    ],
    ['an optional parameter', { parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }] }],
    [
      'a new operation',
      {
        paths: {
          '/more': {
            post: {
              responses: {},
              requestBody: { required: true, content: { 'application/json': { schema: request } } },
            },
          },
        },
      },
    ],
  ])('by %s is compatible', (_what, over) => {
    expect(breaks(over)).toEqual([]);
  });

  test.each([
    [
      'a new required member',
      { request: withMember(request, 'size', { type: 'integer' }, ['name', 'size']) },
      'new: POST /things: demands body.size',
    ],
    [
      'a required parameter',
      { parameters: [{ name: 'x', in: 'query', required: true, schema: {} }] },
      'new: POST /things: demands query.x',
    ],
    [
      'a value less',
      { request: withMember(request, 'mode', { enum: ['a'] }, ['name']) },
      'gone: POST /things: takes "b" body.mode',
    ],
    [
      'a type less',
      { request: withMember(request, 'name', { type: 'integer' }, ['name']) },
      'gone: POST /things: takes string body.name',
    ],
    [
      'a member less',
      { response: { ...response, properties: { id: { type: 'string' } } } },
      'gone: POST /things: gives 201.note',
    ],
    [
      'a member that may be missing',
      { response: { ...response, required: [] } },
      'gone: POST /things: always gives 201.id',
    ],
    [
      'a member that may be null',
      { response: withMember(response, 'note', { type: ['string', 'null'] }, ['id']) },
      'new: POST /things: may be null 201.note',
    ],
    ['a stricter permission', { permission: 'full' }, 'gone: POST /things: admits Sending Access'],
  ])('by %s breaks clients, and is reported', (_what, over, reported) => {
    expect(breaks(over)).toContain(reported);
  });

  test('that takes an operation away breaks clients', () => {
    expect(findBreaks(kept, { promises: [], demands: [], limits: [] })).toContain('gone: POST /things');
  });
});

describe('a limit of requests', () => {
  const limited = withMember(
    request,
    'name',
    { type: 'string', minLength: 1, maxLength: 9, pattern: 'x', format: 'uri' },
    ['name'],
  );
  const before = surfaceOf(documentOf({ request: limited }));
  const lifted = (schema: Json) => findLifted(before, surfaceOf(documentOf({ request: schema })));
  const { name } = limited['properties'] as { name: Json };

  test.each(Object.keys(name))('that is dropped, as %s, is named', (keyword) => {
    const { [keyword]: _dropped, ...rest } = name;
    const found = lifted(withMember(limited, 'name', rest, ['name']));
    expect(found).toEqual([expect.stringContaining(`POST /things: body.name has ${keyword}`)]);
  });

  test('that is another number, a member that need not be sent and values that are no longer listed are named', () => {
    expect(lifted(withMember(limited, 'name', { ...name, maxLength: 10 }, ['name']))).toEqual([
      'POST /things: body.name has maxLength 9',
    ]);
    expect(lifted({ ...limited, required: [] })).toEqual(['POST /things: body requires name']);
    expect(lifted(withMember(limited, 'mode', {}, ['name']))).toEqual(['POST /things: body.mode has enum']);
    expect(lifted(withMember(limited, 'mode', { enum: ['a', 'b', 'c'] }, ['name']))).toEqual([]);
  });
});
