import { describe, expect, test } from '@jest/globals';
import { findBreaks, surfaceOf } from './compatibility.ts';

type Json = Record<string, unknown>;

const request = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, mode: { enum: ['a', 'b'] } },
};
const answer = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, note: { type: 'string' } } };

function documentOf(
  over: { request?: Json; answer?: Json; parameters?: Json[]; paths?: Json; permission?: string } = {},
) {
  const post = {
    'x-permission': over.permission ?? 'sending',
    parameters: over.parameters ?? [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } },
    },
    responses: {
      '201': { content: { 'application/json': { schema: over.answer ?? answer } } },
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
    ['a new member of the answer', { answer: withMember(answer, 'at', { type: ['string', 'null'] }, ['id', 'at']) }],
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
  ])('by %s breaks nobody', (_what, over) => {
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
      { answer: { ...answer, properties: { id: { type: 'string' } } } },
      'gone: POST /things: gives 201.note',
    ],
    [
      'a member that may be missing',
      { answer: { ...answer, required: [] } },
      'gone: POST /things: always gives 201.id',
    ],
    [
      'a member that may be null',
      { answer: withMember(answer, 'note', { type: ['string', 'null'] }, ['id']) },
      'new: POST /things: may be null 201.note',
    ],
    ['a stricter permission', { permission: 'full' }, 'gone: POST /things: admits Sending Access'],
  ])('by %s breaks clients, and is told', (_what, over, told) => {
    expect(breaks(over)).toContain(told);
  });

  test('that takes an operation away breaks clients', () => {
    expect(findBreaks(kept, { promises: [], demands: [] })).toContain('gone: POST /things');
  });
});
