import { describe, expect, test } from '@jest/globals';
import { compose } from './compose.ts';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const source = (schemas: object) => ({
  paths: { '/things': { post: { body: reference('Create'), 'x-item-schema': 'Later' } } },
  components: { schemas },
});
const composed = (schemas: object) =>
  (compose(source(schemas)) as { components: { schemas: Record<string, unknown> } }).components.schemas;

describe('a composed schema', () => {
  const fields = {
    type: 'object',
    description: 'part',
    properties: { name: reference('Name'), size: { type: 'integer' } },
  };
  const filled = {
    allOf: [reference('Fields')],
    required: ['name'],
    properties: { size: { default: 1 } },
    dependentSchemas: { size: { required: ['name'] } },
  };
  const schemas = composed({
    Name: { type: 'string' },
    Fields: fields,
    Filled: filled,
    Create: { description: 'whole', additionalProperties: false, allOf: [reference('Filled')] },
    Later: { allOf: [reference('Create')], required: ['at'], properties: { at: { type: 'string' } } },
  });
  const whole = {
    type: 'object',
    description: 'whole',
    additionalProperties: false,
    required: ['name'],
    properties: { name: reference('Name'), size: { type: 'integer', default: 1 } },
    dependentSchemas: { size: { required: ['name'] } },
  };

  test('is one object of its parts, of their parts and of its own members', () => {
    expect(schemas['Create']).toEqual(whole);
    expect(schemas['Later']).toEqual({
      ...whole,
      required: ['name', 'at'],
      properties: { ...whole.properties, at: { type: 'string' } },
    });
  });

  const limits = { type: 'object', properties: { low: { type: 'integer', default: 1 }, high: { default: null } } };
  const limited = { properties: { limits: { ...reference('Limits'), default: {} } } };

  test('has the defaults of the members for the default of an object', () => {
    const { Create } = composed({ Limits: limits, Fields: limited, Create: { allOf: [reference('Fields')] } });
    expect(Create).toEqual({
      properties: { limits: { ...reference('Limits'), default: { low: 1, high: null } } },
    });
  });

  test('has no defaults where it changes another', () => {
    const change = { 'x-partial': true, allOf: [reference('Fields')] };
    const { Create } = composed({ Limits: limits, Fields: limited, Create: change });
    expect(Create).toEqual({ properties: { limits: reference('Limits') } });
  });

  test('leaves no part behind that nothing else refers to', () => {
    expect(Object.keys(schemas)).toEqual(['Name', 'Create', 'Later']);
  });

  test.each([
    ['of what does not exist', reference('Nothing'), 'Nothing, which does not exist'],
    ['of a schema without a name', { type: 'object' }, 'components only'],
  ])('%s is refused', (_what, part, message) => {
    expect(() => composed({ Create: { allOf: [part] } })).toThrow(message);
  });
});
