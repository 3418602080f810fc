import { describe, expect, test } from '@jest/globals';
import { withDescriptions } from './descriptions.ts';

const documentWith = (schemas: Record<string, object>, paths: object = {}) => ({ paths, components: { schemas } });
const text = { type: 'string' };

describe('the descriptions of properties', () => {
  test('come from the property, its component, the entry of its schema, or the entry of its name', () => {
    const properties = {
      own: { ...text, description: 'Own.' },
      named: { $ref: '#/components/schemas/Named' },
      id: text,
    };
    const schemas = {
      Named: { ...text, description: 'Named.' },
      Bot: { type: 'object', properties },
      KeyResponse: { type: 'object', properties: { id: text } },
    };
    const { document, used } = withDescriptions(documentWith(schemas), {
      id: 'An id.',
      'Key.id': 'Of a key.',
      no: 'x',
    });
    expect(document).toMatchObject({
      components: {
        schemas: {
          Bot: { properties: { ...properties, id: { ...text, description: 'An id.' } } },
          KeyResponse: { properties: { id: { description: 'Of a key.' } } },
        },
      },
    });
    expect([...used].sort()).toEqual(['Key.id', 'id']);
  });

  test.each<[string, object]>([
    ['in a response', { '/a': { get: { responses: { 200: { schema: { properties: { lost: text } } } } } } }],
    ['in a list', { '/a': { items: [{ properties: { lost: text } }] } }],
  ])('are required %s', (_where, paths) => {
    expect(() => withDescriptions(documentWith({}, paths), {})).toThrow('response.lost needs a description');
  });

  test('are not required where an example or a condition has a member of that name', () => {
    const schema = {
      properties: { a: { ...text, description: 'A.' } },
      if: { properties: { a: {} } },
      example: { properties: {} },
    };
    expect(() => withDescriptions(documentWith({ Bot: schema }), {})).not.toThrow();
  });
});
