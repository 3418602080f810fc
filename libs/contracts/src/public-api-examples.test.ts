import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { publicDocument } from './public-api.ts';

type Json = Record<string, unknown>;
interface Content {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

const { paths, webhooks } = publicDocument as Record<'paths' | 'webhooks', Record<string, Record<string, Operation>>>;
const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
ajv.addSchema({ ...(publicDocument as Json), $id: 'contract' });

/** What is wrong with the examples of a body: that there is none, or why one does not fit. */
function problemsOf({ schema, example, examples }: Content): string[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"contract#')) as Json);
  const given = Object.values(examples ?? {}).map(({ value }) => value);
  const all = example === undefined ? given : [...given, example];
  if (all.length === 0) return ['there is no example'];
  return all.flatMap((value) =>
    validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`),
  );
}

const operations = Object.values({ ...paths, ...webhooks })
  .flatMap((item) => Object.values(item))
  .filter(({ operationId }) => operationId !== undefined);

const bodies = operations.flatMap(({ operationId, requestBody, responses }) => {
  const sent = Object.entries(requestBody?.content ?? {}).map(([type, content]) => ({
    what: `request, ${type}`,
    content,
  }));
  const received = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { content }]) =>
      Object.entries(content ?? {}).map(([type, body]) => ({ what: `${status}, ${type}`, content: body })),
    );
  return [...sent, ...received].map((body) => ({ operationId, ...body }));
});

describe('every body has examples, and they fit', () => {
  test.each(bodies)('$operationId: $what', ({ content }) => {
    expect(problemsOf(content)).toEqual([]);
  });
});
