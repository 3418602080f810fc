import type { ApiDocument, Schema } from '../document/document.ts';

/** One rule of a schema that can be removed alone. */
export interface Constraint {
  /** `createBot body/timeout_config/grace_period maximum`. */
  readonly name: string;
  /** With its reference followed. */
  readonly schema: Schema;
  /** The same schema without this rule. */
  readonly dropped: Schema;
}

const keywords = [
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
] as const;
/** An allowed value has its type already. */
const listing = ['const', 'enum'];
/** Storage formats of numbers; their limits are separate rules. */
const numberFormats = ['int32', 'int64', 'uint32', 'uint64', 'double'];

/** Every rule for what clients send: of bodies, of the items of batches and of parameters, each schema once. */
export function constraintsOf(document: ApiDocument): Constraint[] {
  const found = new Map<string, Constraint>();
  const session = (written: Schema, path: string): void => {
    const schema = document.follow(written);
    const identity = JSON.stringify(schema);
    if (found.has(`${identity} visited`)) return;
    for (const rule of rulesOf(document, schema, path)) found.set(`${identity} ${rule.name.slice(path.length)}`, rule);
    found.set(`${identity} visited`, { name: '', schema, dropped: schema });
    for (const [name, inner] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
      session(inner, `${path}/${name}`);
    if (schema['items'] !== undefined) session(schema['items'] as Schema, `${path}/0`);
    for (const branch of (schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[]) session(branch, path);
  };
  for (const { id, body, parameters } of document.operations) {
    if (body !== null) session(body.schema, `${id} body`);
    if (body?.itemSchema != null) session(body.itemSchema, `${id} body/0`);
    for (const parameter of parameters) session(parameter.schema, `${id} ${parameter.place}/${parameter.name}`);
  }
  return [...found.values()].filter(({ name }) => name !== '');
}

function rulesOf(document: ApiDocument, schema: Schema, path: string): Constraint[] {
  const given = keywords.filter((keyword) => schema[keyword] !== undefined && !isImplied(document, schema, keyword));
  const required = (schema['required'] ?? []) as string[];
  return [
    ...given.map((keyword) => {
      const { [keyword]: _dropped, ...dropped } = schema;
      return { name: `${path} ${keyword}`, schema, dropped };
    }),
    ...required.map((member) => ({
      name: `${path} required ${member}`,
      schema,
      dropped: { ...schema, required: required.filter((other) => other !== member) },
    })),
  ];
}

/** True where another rule of the same schema refuses all that this one does. */
function isImplied(document: ApiDocument, schema: Schema, keyword: string): boolean {
  if (keyword === 'format') return numberFormats.includes(schema['format'] as string);
  if (keyword === 'minLength') return schema['minLength'] === 1 && refusesEmptyText(schema);
  if (keyword === 'maxItems') return hasNoMoreItems(document, schema);
  if (keyword === 'type') return listing.some((list) => schema[list] !== undefined);
  return keyword === 'additionalProperties' && schema['additionalProperties'] !== false;
}

function refusesEmptyText({ pattern, format }: Schema): boolean {
  return format === 'uri' || (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(''));
}

function hasNoMoreItems(document: ApiDocument, { uniqueItems, items, maxItems }: Schema): boolean {
  const values = document.follow((items ?? {}) as Schema)['enum'] as unknown[] | undefined;
  return uniqueItems === true && values !== undefined && values.length <= (maxItems as number);
}
