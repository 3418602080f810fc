import { z } from 'zod';

/** A JSON Schema of a document. */
export type Schema = Readonly<Record<string, unknown>>;

/** One operation of a document, with the components that it refers to. */
export interface CheckedOperation {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly operation: Schema;
  readonly components: Schema;
  /** Members of the body whose length as JSON is limited by `x-max-json-bytes`. */
  readonly bounded: readonly BoundedMember[];
}

export interface BoundedMember {
  readonly steps: readonly string[];
  readonly limitBytes: number;
}

export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  /** The type of a number, `integer` or `number`, as the document names it; null for other types. */
  readonly numeric: string | null;
  /** The text `null` is the same as leaving it out. */
  readonly nullable: boolean;
}

export interface OperationRules {
  /** The operation alone, without its responses. */
  readonly request: () => CheckedOperation;
  readonly parameters: readonly Parameter[];
  /** Null when the operation reads no body. */
  readonly body: Schema | null;
  /** The schemas of the responses by status; null for a response without a body. */
  readonly responses: ReadonlyMap<number, Schema | null>;
  /** Columns of the response as CSV; null for an operation without that. */
  readonly csvColumns: readonly string[] | null;
}

const object = z.record(z.string(), z.unknown());
const parameterShape = z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema: object });
const content = z.object({ 'application/json': z.object({ schema: object }), 'text/csv': z.unknown().optional() });
const listShape = z.object({ properties: z.object({ data: z.object({ items: object }) }) });
const rowShape = z.object({ required: z.array(z.string()) });
const bodyShape = z.object({ content });
const responseShape = z.object({ description: z.string(), content: content.optional() });
const operationShape = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.unknown().optional(),
  responses: object,
});
const documentShape = z.looseObject({ paths: z.record(z.string(), object) });
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Reads the validation rules of every operation, by id. Throws when the document lacks a rule. */
export function readDocument(source: unknown): ReadonlyMap<string, OperationRules> {
  const document = documentShape.parse(source);
  const operations = new Map<string, OperationRules>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      if (item[method] === undefined) continue;
      const { responses, ...operation } = operationShape.parse(item[method]);
      const parameters = [...z.array(z.unknown()).parse(item['parameters'] ?? []), ...operation.parameters];
      operations.set(operation.operationId, {
        request: () => onlyOperation(document, { method, path, operation: { ...operation, parameters } }),
        parameters: parameters.map((parameter) => parameterOf(document, parameter)),
        body: operation.requestBody === undefined ? null : follow(document, bodyOf(document, operation.requestBody)),
        responses: responsesOf(document, responses),
        csvColumns: csvColumnsOf(document, responses['200']),
      });
    }
  }
  return operations;
}

/** A synthetic operation that reads a value of one schema of the document as the body of `POST /`. */
export function bodyOperation(document: Schema, schema: Schema): () => CheckedOperation {
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  return () => onlyOperation(document, { method: 'post', path: '/', operation: { requestBody } });
}

/** The schema of that name among a document's components. */
export function componentSchema(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

type Operation = Pick<CheckedOperation, 'method' | 'path' | 'operation'>;

function onlyOperation(document: Schema, checked: Operation): CheckedOperation {
  const components: Record<string, Record<string, unknown>> = {};
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref: reference } = value as { $ref?: unknown };
    if (typeof reference === 'string') {
      const [, , kind = '', name = ''] = reference.split('/');
      const found = (components[kind] ??= {});
      if (found[name] === undefined) collect((found[name] = target(document, reference)));
    }
    Object.values(value).forEach(collect);
  };
  collect(checked.operation);
  const { requestBody } = checked.operation;
  return {
    ...checked,
    components,
    bounded: requestBody === undefined ? [] : boundedIn(document, bodyOf(document, requestBody)),
  };
}

function bodyOf(document: Schema, requestBody: unknown): Schema {
  return bodyShape.parse(follow(document, requestBody)).content['application/json'].schema;
}

/** Searches named members only, to a fixed depth: a schema may contain itself. */
function boundedIn(document: Schema, schema: unknown, steps: readonly string[] = []): BoundedMember[] {
  if (steps.length > 8) return [];
  const { 'x-max-json-bytes': limitBytes, properties } = follow(document, schema);
  if (typeof limitBytes === 'number') return [{ steps, limitBytes }];
  return Object.entries(object.parse(properties ?? {})).flatMap(([name, member]) =>
    boundedIn(document, member, [...steps, name]),
  );
}

function target(document: Schema, reference: string): Record<string, unknown> {
  let found: unknown = document;
  for (const step of reference.slice(2).split('/')) {
    found = object.parse(found)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return object.parse(found);
}

/** Resolves references; members beside a reference override those of its target. */
export function follow(document: Schema, value: unknown, hops = 0): Record<string, unknown> {
  const { $ref: reference, ...own } = object.parse(value);
  if (reference === undefined) return own;
  if (typeof reference !== 'string' || hops > 20) throw new Error('The document refers in a circle.');
  return { ...follow(document, target(document, reference), hops + 1), ...own };
}

function parameterOf(document: Schema, value: unknown): Parameter {
  const { name, in: place, schema } = parameterShape.parse(follow(document, value));
  const types = [follow(document, schema)['type'] ?? 'string'].flat().map(String);
  // Several values in one parameter are a string with a pattern, which every reader of the document parses alike.
  if (types.includes('array') || types.includes('object')) throw new Error('A parameter must be one plain value.');
  return {
    name: place === 'header' ? name.toLowerCase() : name,
    place,
    numeric: types.includes('integer') || types.includes('number') ? types.join(',') : null,
    nullable: types.includes('null'),
  };
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
