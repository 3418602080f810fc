type Json = Record<string, unknown>;

const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);
/** A schema below a condition adds a rule to properties that are described elsewhere. */
const conditions: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not', 'dependentSchemas']);

export interface Described {
  readonly document: unknown;
  /** Names of the entries that a property got its description from. */
  readonly used: ReadonlySet<string>;
}

/**
 * The document with a description for every property that has none, neither itself nor as a component: the entry of its
 * schema and name (`Schema.property`), or of its name. Throws when there is neither.
 */
export function withDescriptions(given: unknown, entries: Readonly<Record<string, string>>): Described {
  // Schemas that are one object in memory may get different descriptions.
  const document = JSON.parse(JSON.stringify(given)) as Json & {
    readonly components: { readonly schemas: Record<string, Json> };
  };
  const { schemas } = document.components;
  const used = new Set<string>();
  const isDescribed = (schema: Json): boolean =>
    schema['description'] !== undefined ||
    (typeof schema['$ref'] === 'string' && isDescribed(schemas[schema['$ref'].split('/').at(-1) ?? ''] ?? {}));
  const describe = (owner: string, name: string, property: Json): void => {
    if (isDescribed(property)) return;
    const entry = [`${owner}.${name}`, name].find((key) => Object.hasOwn(entries, key));
    if (entry === undefined) throw new Error(`${owner}.${name} needs a description, there or in descriptions.yaml.`);
    used.add(entry);
    property['description'] = entries[entry];
  };
  const visit = (place: unknown, owner: string): void => {
    if (typeof place !== 'object' || place === null) return;
    for (const [member, inner] of Object.entries(place)) {
      if (values.has(member) || conditions.has(member)) continue;
      if (member === 'properties')
        for (const [name, property] of Object.entries(inner as Record<string, Json>)) describe(owner, name, property);
      visit(inner, owner);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name.replace(/Response$/, ''));
  const { components, ...rest } = document;
  visit({ ...rest, components: { ...components, schemas: {} } }, 'response');
  return { document, used };
}
