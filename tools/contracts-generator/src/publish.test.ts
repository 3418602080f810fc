import { describe, expect, test } from '@jest/globals';
import { publish } from './publish.ts';

const closed = (properties: object) => ({ type: 'object', additionalProperties: false, properties });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

const source = {
  paths: {
    '/things': {
      post: {
        operationId: 'makeThing',
        requestBody: json(reference('CreateThing')),
        responses: { 201: json(closed({ data: reference('Thing') })) },
      },
    },
  },
  webhooks: { made: { post: { requestBody: json(closed({ event: { default: { additionalProperties: false } } })) } } },
  components: {
    schemas: {
      CreateThing: closed({ colour: reference('Colour'), size: reference('Size') }),
      Thing: closed({ colour: reference('Colour'), size: reference('Size'), owner: reference('Owner') }),
      Owner: { anyOf: [closed({}), { type: 'null' }] },
      Colour: { type: 'string' },
      Size: closed({ inner: closed({}) }),
      Item: closed({}),
    },
  },
};

type Published = typeof source & {
  paths: { '/things': { post: { responses: Record<string, object> } } };
  components: { schemas: Record<string, object>; responses: Record<string, object> };
};
const published = publish(source) as Published;
const { schemas } = published.components;

describe('a published document', () => {
  test('opens what is sent to clients, to any depth, and leaves values as they are', () => {
    expect(published.paths['/things'].post.responses[201]).toEqual(
      json({ type: 'object', properties: { data: reference('Thing') } }),
    );
    expect(schemas['Owner']).toEqual({ anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] });
    expect(published.webhooks.made.post.requestBody).toEqual(
      json({ type: 'object', properties: { event: { default: { additionalProperties: false } } } }),
    );
  });

  test('keeps requests closed: a closed schema of both has an open copy, any other is shared', () => {
    expect(schemas['CreateThing']).toEqual(source.components.schemas.CreateThing);
    expect(schemas['Size']).toEqual(source.components.schemas.Size);
    expect(schemas['SizeResponse']).toEqual({
      type: 'object',
      properties: { inner: { type: 'object', properties: {} } },
    });
    expect(schemas['Thing']).toEqual({
      type: 'object',
      properties: { colour: reference('Colour'), size: reference('SizeResponse'), owner: reference('Owner') },
    });
  });

  test('documents that headers may be too large, at every operation', () => {
    const { responses } = published.paths['/things'].post;
    expect(responses[431]).toEqual({ $ref: '#/components/responses/HeadersTooLarge' });
    expect(published.components.responses['HeadersTooLarge']).toMatchObject({ description: expect.any(String) });
  });

  test('does not change the one that it is made from', () => {
    expect(source.paths['/things'].post.responses).not.toHaveProperty('431');
  });
});
