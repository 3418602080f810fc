import { z } from 'zod';

/** The parts of a document that clients rely on. */
export interface Surface {
  /** The available operations and members: may only grow. */
  readonly promises: readonly string[];
  /** The demands on clients: may grow only together with a new operation. */
  readonly demands: readonly string[];
  /** Refusals of requests: one that is lifted is named. */
  readonly limits: readonly string[];
}

/** Their values may grow without lifting the limit. */
const multipart: readonly string[] = ['enum', 'type'];
const limitingKeywords = [
  'additionalProperties',
  'const',
  'enum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'pattern',
  'type',
  'uniqueItems',
  'x-max-json-bytes',
] as const;

const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
});
const content = z.looseObject({ 'application/json': z.looseObject({ schema: z.unknown() }) });
const body = z.looseObject({ content, required: z.boolean().default(false) });
const parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  schema: z.unknown(),
});
const operation = z.looseObject({
  'x-permission': z.string().optional(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.unknown()),
});
const items = z.record(z.string(), z.record(z.string(), z.unknown()));
const documentShape = z.looseObject({ paths: items, webhooks: items.default({}) });
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every guarantee, demand and limit of an OpenAPI document, sorted. */
export function surfaceOf(document: unknown): Surface {
  const { paths, webhooks } = documentShape.parse(document);
  const surface = new Collector(document);
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods.filter((name) => item[name] !== undefined)) {
      const shared = z.array(z.unknown()).parse(item['parameters'] ?? []);
      surface.operation(`${method.toUpperCase()} ${path}`, item[method], shared);
    }
  }
  for (const [event, item] of Object.entries(webhooks)) {
    const { requestBody } = operation.parse(item['post']);
    surface.given(`webhook ${event}`, body.parse(requestBody).content['application/json'].schema);
  }
  return surface.result();
}

/** Guarantees that are missing, and new demands on clients. */
export function findBreaks(kept: Surface, now: Surface): string[] {
  const promised = new Set(now.promises);
  const known = new Set(kept.demands);
  const older = new Set(kept.promises.filter((promise) => !promise.includes(': ')));
  return [
    ...kept.promises.filter((promise) => !promised.has(promise)).map((promise) => `gone: ${promise}`),
    ...now.demands
      .filter((demand) => older.has(demand.split(': ')[0] ?? '') && !known.has(demand))
      .filter((demand) => isAboutSomethingOld(demand, kept))
      .map((demand) => `new: ${demand}`),
  ];
}

/** The limits of requests that were removed. Clients continue to work; services may rely on the limits. */
export function findLifted(kept: Surface, now: Surface): string[] {
  const limits = new Set(now.limits);
  return kept.limits.filter((limit) => !limits.has(limit));
}

/** Content of a new member is no break; only existing members must not change. */
function isAboutSomethingOld(demand: string, kept: Surface): boolean {
  const given = /^(.*: )may be \w+ (\S+)$/.exec(demand);
  if (given !== null) return kept.promises.includes(`${given[1]}gives ${given[2]}`);
  const inside = /^(.*: )demands (body\S*)\.[^.]+$/.exec(demand);
  return inside === null || kept.promises.includes(`${inside[1]}takes ${inside[2]}`);
}

class Collector {
  readonly #document: unknown;
  readonly #promises = new Set<string>();
  readonly #demands = new Set<string>();
  readonly #limits = new Set<string>();

  constructor(document: unknown) {
    this.#document = document;
  }

  operation(name: string, value: unknown, shared: readonly unknown[]): void {
    const found = operation.parse(value);
    this.#promises.add(name);
    if (found['x-permission'] === 'sending') this.#promises.add(`${name}: admits Sending Access`);
    for (const one of [...shared, ...found.parameters]) {
      const { name: parameterName, in: place, required, schema } = parameter.parse(this.#follow(one));
      if (required) this.#demands.add(`${name}: demands ${place}.${parameterName}`);
      this.taken(name, schema, `${place}.${parameterName}`);
    }
    if (found.requestBody !== undefined) {
      const { required, content: contents } = body.parse(this.#follow(found.requestBody));
      if (required) this.#demands.add(`${name}: demands body`);
      this.taken(name, contents['application/json'].schema, 'body');
    }
    for (const [status, response] of Object.entries(found.responses)) {
      this.#promises.add(`${name}: answers ${status}`);
      const { content: contents } = z.looseObject({ content: content.optional() }).parse(this.#follow(response));
      if (contents !== undefined && status.startsWith('2'))
        this.given(name, contents['application/json'].schema, status);
    }
  }

  /** The content of requests. */
  taken(name: string, value: unknown, place: string): void {
    const schema = this.#schema(value);
    this.#promises.add(`${name}: takes ${place}`);
    for (const type of typesOf(schema)) this.#promises.add(`${name}: takes ${type} ${place}`);
    for (const one of schema.enum ?? []) this.#promises.add(`${name}: takes ${JSON.stringify(one)} ${place}`);
    for (const required of schema.required) this.#demands.add(`${name}: demands ${place}.${required}`);
    for (const [member, inner] of Object.entries(schema.properties ?? {}))
      this.taken(name, inner, `${place}.${member}`);
    if (schema.items !== undefined) this.taken(name, schema.items, `${place}[]`);
    for (const keyword of limitingKeywords) {
      const limit = schema[keyword];
      if (limit === undefined) continue;
      this.#limits.add(
        `${name}: ${place} has ${keyword}${multipart.includes(keyword) ? '' : ` ${JSON.stringify(limit)}`}`,
      );
    }
    for (const member of schema.required) this.#limits.add(`${name}: ${place} requires ${member}`);
  }

  /** The content of responses: always present when required, never of another type. */
  given(name: string, value: unknown, place = 'body'): void {
    const schema = this.#schema(value);
    this.#promises.add(`${name}: gives ${place}`);
    for (const type of typesOf(schema)) this.#demands.add(`${name}: may be ${type} ${place}`);
    for (const one of schema.enum ?? []) this.#promises.add(`${name}: knows ${JSON.stringify(one)} ${place}`);
    for (const [member, inner] of Object.entries(schema.properties ?? {})) {
      if (schema.required.includes(member)) this.#promises.add(`${name}: always gives ${place}.${member}`);
      this.given(name, inner, `${place}.${member}`);
    }
    if (schema.items !== undefined) this.given(name, schema.items, `${place}[]`);
  }

  result(): Surface {
    const [promises, demands, limits] = [this.#promises, this.#demands, this.#limits].map((found) => [...found].sort());
    return { promises: promises ?? [], demands: demands ?? [], limits: limits ?? [] };
  }

  #schema(value: unknown): z.infer<typeof schemaShape> {
    return schemaShape.parse(this.#follow(value));
  }

  #follow(value: unknown): unknown {
    const reference = (value as { $ref?: string }).$ref;
    if (reference === undefined) return value;
    const steps = reference.replace(/^#\//, '').split('/');
    const found = steps.reduce<unknown>(
      (place, step) => (place as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.#document,
    );
    return this.#follow(found);
  }
}

function typesOf({ type }: z.infer<typeof schemaShape>): string[] {
  return type === undefined ? [] : [type].flat();
}
