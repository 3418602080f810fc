import { z } from 'zod';

/** A JSON Schema of the document. Its references start with `contract#`, so that it compiles wherever it is put. */
export type Schema = Readonly<Record<string, unknown>>;

export const documentName = 'contract';

export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** What a text has to become before it can be checked. */
  readonly kind: 'text' | 'number' | 'boolean';
  readonly schema: Schema;
}

export interface OperationRules {
  readonly parameters: readonly Parameter[];
  /** Null when the operation reads no body. */
  readonly body: Schema | null;
  /** By status; null for a response without a body. */
  readonly responses: ReadonlyMap<number, Schema | null>;
  /** Columns of the response as CSV; null for an operation without that. */
  readonly csvColumns: readonly string[] | null;
}

export interface ReadDocument {
  /** The whole document under `documentName`, for the validator to find references in. */
  readonly schema: Schema;
  readonly operations: ReadonlyMap<string, OperationRules>;
}

const object = z.record(z.string(), z.unknown());
const parameterShape = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  schema: object,
});
const content = z.object({ 'application/json': z.object({ schema: object }), 'text/csv': z.unknown().optional() });
const listShape = z.object({ properties: z.object({ data: z.object({ items: object }) }) });
const rowShape = z.object({ required: z.array(z.string()) });
const bodyShape = z.object({ content });
const responseShape = z.object({ description: z.string(), content: content.optional() });
const operationShape = z.object({
  operationId: z.string(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.unknown().optional(),
  responses: object,
});
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Reads what checking needs to know of every operation. Throws when the document lacks it. */
export function readDocument(source: unknown): ReadDocument {
  const schema = z.looseObject({ paths: z.record(z.string(), object) }).parse(withOwnReferences(source));
  const operations = new Map<string, OperationRules>();
  for (const item of Object.values(schema.paths)) {
    for (const method of methods) {
      if (item[method] === undefined) continue;
      const operation = operationShape.parse(item[method]);
      operations.set(operation.operationId, {
        parameters: [...z.array(z.unknown()).parse(item['parameters'] ?? []), ...operation.parameters].map(
          (parameter) => parameterOf(schema, parameter),
        ),
        body:
          operation.requestBody === undefined
            ? null
            : follow(schema, bodyShape.parse(follow(schema, operation.requestBody)).content['application/json'].schema),
        responses: responsesOf(schema, operation.responses),
        csvColumns: csvColumnsOf(schema, operation.responses['200']),
      });
    }
  }
  return { schema, operations };
}

/** A copy whose references name the document, so that a part of it can be compiled alone. */
function withOwnReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwnReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' && member.startsWith('#')
        ? `${documentName}${member}`
        : withOwnReferences(member),
    ]),
  );
}

/** Follows references until something else is found; members beside a reference win over what it points at. */
function follow(document: Schema, value: unknown, hops = 0): Record<string, unknown> {
  const { $ref: reference, ...own } = object.parse(value);
  if (reference === undefined) return own;
  if (typeof reference !== 'string' || hops > 20) throw new Error('The document refers in a circle.');
  let found: unknown = document;
  for (const step of reference.slice(documentName.length + 2).split('/')) {
    found = object.parse(found)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return { ...follow(document, found, hops + 1), ...own };
}

function parameterOf(document: Schema, value: unknown): Parameter {
  const { name, in: place, required, schema } = parameterShape.parse(follow(document, value));
  const followed = follow(document, schema);
  return {
    name: place === 'header' ? name.toLowerCase() : name,
    place,
    required,
    kind: kindOf(followed),
    schema: followed,
  };
}

function kindOf({ type = 'string' }: Schema): Parameter['kind'] {
  const types = [type].flat();
  // Several values in one parameter are a text with a pattern, the same for every reader of the document.
  if (types.includes('array') || types.includes('object')) throw new Error('A parameter must be one plain value.');
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('boolean') ? 'boolean' : 'text';
}

function responsesOf(document: Schema, responses: Schema): Map<number, Schema | null> {
  return new Map(
    Object.entries(responses).map(([status, response]) => [
      z.coerce.number().int().parse(status),
      responseShape.parse(follow(document, response)).content?.['application/json'].schema ?? null,
    ]),
  );
}

/** The members of an item of `data`, which are all required. */
function csvColumnsOf(document: Schema, response: unknown): string[] | null {
  if (response === undefined) return null;
  const offered = responseShape.parse(follow(document, response)).content;
  if (offered?.['text/csv'] === undefined) return null;
  const { items } = listShape.parse(follow(document, offered['application/json'].schema)).properties.data;
  return rowShape.parse(follow(document, items)).required;
}

/** The schema of that name among the document's components. */
export function componentSchema(name: string): Schema {
  return { $ref: `${documentName}#/components/schemas/${name}` };
}
