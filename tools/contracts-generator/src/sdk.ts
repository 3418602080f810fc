import openapiTypescript, { astToString } from 'openapi-typescript';
import { operationsOf } from '@rapporteur/contracts/read-operations';
import type { PublicOperation } from '@rapporteur/contracts/read-operations';
import { z } from 'zod';

const banner =
  '// Generated from openapi/public.v2 by `npm run generate` in the Rapporteur repository. Change the contract, not this file.';

const parameter = z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().default(false) });
const response = z.object({
  content: z.object({
    'application/json': z.object({ schema: z.object({ properties: z.record(z.string(), z.unknown()) }) }),
  }),
});
const operation = z.looseObject({
  summary: z.string(),
  description: z.string(),
  parameters: z.array(z.unknown()).default([]),
  responses: z.record(z.string(), z.unknown()),
});
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  webhooks: z.record(z.string(), z.unknown()),
  components: z.looseObject({
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    parameters: z.record(z.string(), z.unknown()),
  }),
});
type Document = z.infer<typeof document>;

/** One operation, with the facts that a client needs. */
interface ClientOperation {
  readonly operation: PublicOperation;
  readonly summary: string;
  readonly description: string;
  readonly query: readonly string[];
  readonly needsInput: boolean;
  /** Members of the response besides `success`. */
  readonly members: readonly string[];
}

/**
 * The types of a client's requests and responses. Unlike the service's own, members with a default are optional, and
 * the items of a batch and the values of a filter have their proper types.
 */
export async function sdkTypes(bundle: string): Promise<string> {
  const source = document.parse(JSON.parse(bundle));
  for (const { itemSchema, id } of operationsOf(source)) {
    if (itemSchema !== null) describeItems(source, id, itemSchema);
  }
  for (const parameter of Object.values(source.components.parameters)) describeValues(parameter as Parameter);
  const nodes = await openapiTypescript(JSON.stringify(source), { defaultNonNullable: false });
  return `${banner}\n\n${astToString(nodes)}`;
}

interface Parameter {
  schema?: { readonly pattern?: string };
}

/** A text of several known values, joined by commas, is one of them or a list. */
function describeValues(parameter: Parameter): void {
  const [, values] = /^\^\(([\w|]+)\)\(,\(\1\)\)\*\$$/.exec(parameter.schema?.pattern ?? '') ?? [];
  if (values === undefined) return;
  const known = { type: 'string', enum: values.split('|') };
  parameter.schema = { anyOf: [known, { type: 'array', items: known }] } as object;
}

function describeItems(source: Document, id: string, itemSchema: string): void {
  const list = Object.values(source.components.schemas).find(
    (schema) => schema['type'] === 'array' && JSON.stringify(schema['items']).includes(`/${itemSchema}"`),
  );
  if (list === undefined) throw new Error(`${id} has items of ${itemSchema}, but no component is a list of them.`);
  list['items'] = { $ref: `#/components/schemas/${itemSchema}` };
}

/** A table of every operation, the typed methods over it, and the union of webhook events. */
export function sdkOperations(bundle: string): string {
  const source = document.parse(JSON.parse(bundle));
  const operations = operationsOf(source).map((one) => readOperation(source, one));
  const lists = operations.filter(isList);
  return [
    banner,
    `import type { All, OperationResponse, CallOptions, Input, OperationFacts } from '../operation-types.ts';`,
    `import type { webhooks } from './types.ts';`,
    '',
    'export const operations = {',
    ...operations.map(factsOf),
    '} as const satisfies Record<string, OperationFacts>;',
    '',
    '/** One method per operation of the API. */',
    'export interface Operations {',
    ...operations.flatMap(methodOf),
    '}',
    '',
    '/** The paginated lists, item by item: pages are fetched as they are needed. */',
    'export interface Lists {',
    ...lists.flatMap(listOf),
    '}',
    '',
    `export const listNames = [${lists.map((list) => `'${list.operation.id}'`).join(', ')}] as const;`,
    '',
    '/** Every event that a webhook endpoint receives, distinguished by `event`. */',
    'export type WebhookEvent =',
    ...Object.keys(source.webhooks).map((event) => `  | ${payloadOf(event)}`),
    ';',
    '',
  ].join('\n');
}

function readOperation(source: Document, one: PublicOperation): ClientOperation {
  const item = source.paths[one.path] ?? {};
  const written = operation.parse(item[one.method]);
  const shared = z.array(z.unknown()).parse(item['parameters'] ?? []);
  const parameters = [...shared, ...written.parameters].map((value) => parameter.parse(dereference(source, value)));
  const success = Object.entries(written.responses).find(([status]) => status.startsWith('2'));
  const { properties } = response.parse(success?.[1]).content['application/json'].schema;
  return {
    operation: one,
    summary: written.summary,
    description: written.description.trim(),
    query: parameters.filter((found) => found.in === 'query').map(({ name }) => name),
    needsInput: one.body === 'required' || parameters.some(({ required }) => required),
    members: Object.keys(properties).filter((name) => name !== 'success'),
  };
}

function dereference(source: Document, value: unknown): unknown {
  const name = /^#\/components\/parameters\/(.+)$/.exec((value as { $ref?: string }).$ref ?? '')?.[1];
  return name === undefined ? value : source.components.parameters[name];
}

function isList({ query }: ClientOperation): boolean {
  return query.includes('cursor');
}

function factsOf({ operation: { id, method, path, idempotent }, query, members }: ClientOperation): string {
  const facts = [
    `method: '${method.toUpperCase()}'`,
    `path: '${path}'`,
    `query: [${query.map((name) => `'${name}'`).join(', ')}]`,
    `keyed: ${idempotent}`,
    `onlyData: ${members.join() === 'data'}`,
  ];
  return `  ${id}: { ${facts.join(', ')} },`;
}

function methodOf(one: ClientOperation): string[] {
  const { id, method, path } = one.operation;
  const input = `input${one.needsInput ? '' : '?'}: Input<'${id}'>`;
  return [
    ...comment(`${one.summary}: \`${method.toUpperCase()} ${path}\`.\n\n${one.description}`),
    `  ${id}(${input}, options?: CallOptions): Promise<OperationResponse<'${id}'>>;`,
  ];
}

function listOf(one: ClientOperation): string[] {
  const { id } = one.operation;
  return [
    ...comment(`${one.summary}, every page of it.`),
    `  ${id}(input${one.needsInput ? '' : '?'}: Input<'${id}'>, options?: CallOptions): All<'${id}'>;`,
  ];
}

function comment(text: string): string[] {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'];
}

function payloadOf(event: string): string {
  return `webhooks['${event}']['post']['requestBody']['content']['application/json']`;
}
