/** A document with few operations that together use every feature of a contract. */
export const smallDocument = {
  openapi: '3.1.0',
  info: { title: 'small', version: '1' },
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        'x-owner': 'delivery',
        'x-permission': 'full',
        parameters: [
          { name: 'limit', in: 'query', schema: { $ref: '#/components/schemas/Limit' } },
          { name: 'deep', in: 'query', schema: { type: ['boolean', 'null'] } },
          { name: 'ratio', in: 'query', schema: { type: 'number' } },
          { name: 'since', in: 'query', schema: { type: 'string', format: 'date-time' } },
        ],
        responses: { 200: { description: 'Things.' } },
      },
      post: {
        operationId: 'makeThing',
        'x-owner': 'delivery',
        'x-permission': 'sending',
        parameters: [{ $ref: '#/components/parameters/Mood' }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
        },
        responses: {
          201: {
            description: 'Made.',
            content: {
              'application/json': {
                schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
              },
            },
          },
        },
      },
    },
    '/things/batch': {
      post: {
        operationId: 'makeThings',
        'x-owner': 'delivery',
        'x-permission': 'sending',
        'x-body-limit-mib': 5,
        'x-item-schema': 'Thing',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Things' } } },
        },
        responses: { 201: { description: 'Made.' } },
      },
    },
    '/things/{thing_id}/poke': {
      parameters: [{ name: 'thing_id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
      post: {
        operationId: 'pokeThing',
        'x-owner': 'delivery',
        'x-permission': 'full',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: ['object', 'null'],
                additionalProperties: false,
                properties: { force: { type: 'integer', default: 1 } },
              },
            },
          },
        },
        responses: { 200: { description: 'Poked.' } },
      },
    },
  },
  components: {
    parameters: {
      Mood: { name: 'X-Mood', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 5 } },
    },
    schemas: {
      Limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      Extra: { type: ['object', 'null'], 'x-max-json-bytes': 100 },
      Colour: { enum: ['red', 'green'] },
      Thing: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 10 },
          colour: { $ref: '#/components/schemas/Colour', default: 'red' },
          size: {
            type: 'object',
            additionalProperties: false,
            properties: { high: { type: 'integer', default: 2 } },
            default: {},
          },
          group: { type: 'string', anyOf: [{ format: 'email' }, { maxLength: 0 }] },
          extra: { $ref: '#/components/schemas/Extra', default: null },
          parts: { type: 'array', items: { type: 'string' } },
        },
        if: { required: ['group'] },
        then: { required: ['parts'] },
      },
      Things: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: { anyOf: [{ $ref: '#/components/schemas/Thing' }, {}] },
      },
    },
  },
};
