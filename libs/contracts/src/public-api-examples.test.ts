import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { legacyDocument } from './legacy-api.ts';
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

type Document = Record<'paths' | 'webhooks', Record<string, Record<string, Operation>>>;

const documents = { v2: publicDocument, v1: legacyDocument } as Readonly<Record<string, Document>>;
const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
for (const [name, document] of Object.entries(documents)) ajv.addSchema({ ...document, $id: name });

/** What is wrong with the examples of a body: that there is none, or why one does not fit. */
function problemsOf(name: string, { schema, example, examples }: Content): string[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${name}#`)) as Json);
  const given = Object.values(examples ?? {}).map(({ value }) => value);
  const all = example === undefined ? given : [...given, example];
  if (all.length === 0) return ['there is no example'];
  return all.flatMap((value) =>
    validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`),
  );
}

const operations = Object.entries(documents).flatMap(([name, { paths, webhooks }]) =>
  Object.values({ ...paths, ...webhooks })
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId !== undefined)
    .map((operation) => ({ name, ...operation })),
);

const bodies = operations.flatMap(({ name, operationId, requestBody, responses }) => {
  const sent = Object.entries(requestBody?.content ?? {}).map(([type, content]) => ({
    what: `request, ${type}`,
    content,
  }));
  const received = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { content }]) =>
      Object.entries(content ?? {}).map(([type, body]) => ({ what: `${status}, ${type}`, content: body })),
    );
  return [...sent, ...received].map((body) => ({ name, operationId, ...body }));
});

describe('every body has examples, and they fit', () => {
  test.each(bodies)('$name $operationId: $what', ({ name, content }) => {
    expect(problemsOf(name, content)).toEqual([]);
  });
});
