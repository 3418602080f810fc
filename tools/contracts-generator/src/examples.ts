type Json = Record<string, unknown>;

/** The values of `openapi/<document>/examples.yaml`. */
export interface ExampleValues {
  /** Request bodies by operation. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** Values of properties, by `Schema.property` or `property`. */
  readonly values: Readonly<Record<string, unknown>>;
}

interface Content {
  readonly 'application/json'?: Json;
  readonly 'text/csv'?: Json;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly content?: Content }>;
}

interface Document extends Json {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks?: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Json> };
}

/**
 * The document with an example for every request body, every success and every webhook that has none of its own. Those
 * of requests are written by hand; the others are made of the schema, with the values of its properties.
 *
 * @throws Error when a request has no example, or when a value belongs to no property
 */
export function withExamples(given: unknown, { requests, values }: ExampleValues): unknown {
  const document = structuredClone(given) as Document;
  const sampler = new Sampler(document.components.schemas, values);
  const unused = new Set(Object.keys(requests));
  for (const { requestBody } of operationsOf(document.webhooks ?? {})) {
    const body = requestBody?.content['application/json'];
    if (body !== undefined && !hasExample(body)) body['example'] = sampler.sample(body['schema'] as Json);
  }
  for (const operation of operationsOf(document.paths)) {
    const { operationId, requestBody, responses } = operation;
    const body = requestBody?.content['application/json'];
    if (body !== undefined && !hasExample(body)) {
      if (!unused.delete(operationId)) throw new Error(`${operationId} needs an example of its body in examples.yaml.`);
      body['example'] = requests[operationId];
    }
    for (const [, { content }] of Object.entries(responses).filter(([status]) => status.startsWith('2'))) {
      const json = content?.['application/json'];
      if (json !== undefined && !hasExample(json)) json['example'] = sampler.sample(json['schema'] as Json);
      const csv = content?.['text/csv'];
      if (csv !== undefined) csv['example'] = csvOf(json?.['example']);
    }
  }
  const idle = [...[...unused].map((id) => `requests.${id}`), ...sampler.unused().map((name) => `values.${name}`)];
  if (idle.length > 0) throw new Error(`examples.yaml has values that no example uses: ${idle.join(', ')}.`);
  return document;
}

function operationsOf(items: Document['paths']): Operation[] {
  return Object.values(items)
    .flatMap((item) => Object.values(item))
    .filter((operation) => operation.operationId !== undefined);
}

function hasExample(content: Json): boolean {
  return content['example'] !== undefined || content['examples'] !== undefined;
}

/** The items of a response as CSV. */
function csvOf(example: unknown): string {
  const [first] = (example as { readonly data: readonly Readonly<Record<string, string | number>>[] }).data;
  const columns = Object.keys(first ?? {});
  return `${columns.join(',')}\r\n${columns.map((column) => String(first?.[column] ?? '')).join(',')}\r\n`;
}

const byFormat: Readonly<Record<string, string>> = {
  uuid: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11',
  'date-time': '2026-11-21T09:00:00.000Z',
  date: '2026-11-21',
  uri: 'https://example.com/',
  email: 'ada@example.com',
};

class Sampler {
  readonly #schemas: Readonly<Record<string, Json>>;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #used = new Set<string>();
  readonly #open: string[] = [];

  constructor(schemas: Readonly<Record<string, Json>>, values: Readonly<Record<string, unknown>>) {
    this.#schemas = schemas;
    this.#values = values;
  }

  unused(): string[] {
    return Object.keys(this.#values).filter((name) => !this.#used.has(name));
  }

  sample(schema: Json, property = '', owner = ''): unknown {
    const { $ref: reference, ...own } = schema;
    if (typeof reference === 'string')
      return this.#ofComponent(reference.split('/').at(-1) ?? '', own, property, owner);
    const variant = [schema['oneOf'], schema['anyOf'], schema['allOf']].find(Array.isArray) as Json[] | undefined;
    const chosen = this.#chosen(schema, property, owner);
    if (chosen !== undefined) return chosen.value;
    if (variant?.[0] !== undefined) return this.sample({ ...schema, ...noVariants, ...variant[0] }, property, owner);
    const types = [schema['type']].flat();
    if (types.includes('object')) return this.#object(schema, owner);
    if (types.includes('array')) return [this.sample((schema['items'] ?? {}) as Json, property, owner)];
    return scalar(schema, types);
  }

  #ofComponent(name: string, own: Json, property: string, owner: string): unknown {
    const schema = this.#schemas[name];
    if (schema === undefined) throw new Error(`A schema refers to ${name}, which does not exist.`);
    const chosen = this.#chosen({ ...schema, ...own }, property, owner);
    if (chosen !== undefined) return chosen.value;
    if (this.#open.includes(name)) return null;
    this.#open.push(name);
    const value = this.sample({ ...schema, ...own }, property, name.replace(/Response$/, ''));
    this.#open.pop();
    return value;
  }

  /** The listed value of a property, if one of its names is listed and the value has a type of the schema. */
  #chosen(schema: Json, property: string, owner: string): { readonly value: unknown } | undefined {
    for (const name of [`${owner}.${property}`, property]) {
      if (!Object.hasOwn(this.#values, name)) continue;
      const value = this.#values[name];
      if (!admits(schema, value)) continue;
      this.#used.add(name);
      return { value };
    }
    return undefined;
  }

  #object(schema: Json, owner: string): unknown {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
    return Object.fromEntries(properties.map(([name, inner]) => [name, this.sample(inner, name, owner)]));
  }
}

const noVariants = { oneOf: undefined, anyOf: undefined, allOf: undefined };

function admits(schema: Json, value: unknown): boolean {
  if (schema['const'] !== undefined) return schema['const'] === value;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  if (schema['type'] === undefined) return schema['properties'] === undefined && schema['items'] === undefined;
  return (
    [schema['type']].flat().includes(typeOf(value)) || (typeOf(value) === 'integer' && schema['type'] === 'number')
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function scalar(schema: Json, types: readonly unknown[]): unknown {
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['example'] !== undefined) return schema['example'];
  if (Array.isArray(schema['examples'])) return schema['examples'][0] as unknown;
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  if (schema['default'] !== undefined) return schema['default'];
  if (types.includes('null')) return null;
  if (types.includes('boolean')) return true;
  if (types.includes('integer') || types.includes('number')) return schema['minimum'] ?? 1;
  return byFormat[String(schema['format'])] ?? 'example';
}
