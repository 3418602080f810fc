type Json = Record<string, unknown>;
type Properties = Readonly<Record<string, Json>>;

const schemaPath = '#/components/schemas/';

/**
 * The document with every component that is composed by `allOf` replaced by one object: its parts in order and then its
 * own members, which take precedence; properties of one name are merged member by member, so that a later part adds a
 * default. Clients and validators read plain closed objects. A component that is only a part is left out. `x-partial`:
 * the object changes another, so that its own properties have no defaults. The default `{}` of a property means the
 * defaults of the members of its component. Throws when a part is no reference to a component.
 */
export function compose(bundle: unknown): unknown {
  const document = structuredClone(bundle) as { readonly components: { schemas: Record<string, Json> } };
  const { schemas } = document.components;
  const parts = new Set<string>();
  const written = (name: string): Json => {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`A schema is composed of ${name}, which does not exist.`);
    if (!Array.isArray(schema['allOf'])) return schema;
    const { allOf, 'x-partial': partial, ...own } = schema as Json & { readonly allOf: readonly Json[] };
    const referred = allOf.map((part) => partOf(name, part));
    referred.forEach((part) => parts.add(part));
    const whole = [...referred.map(written), own].reduce(joined, {});
    const properties = whole['properties'] as Properties;
    return { ...whole, properties: partial === true ? withoutDefaults(properties) : withDefaults(schemas, properties) };
  };
  document.components.schemas = Object.fromEntries(Object.keys(schemas).map((name) => [name, written(name)]));
  const used = JSON.stringify(document);
  const isUsed = (name: string) =>
    [`"${schemaPath}${name}"`, `"x-item-schema":"${name}"`].some((text) => used.includes(text));
  for (const name of parts) if (!isUsed(name)) delete document.components.schemas[name];
  return document;
}

function withoutDefaults(properties: Properties): Json {
  return mapped(properties, ({ default: _default, ...property }) => property);
}

function withDefaults(schemas: Properties, properties: Properties): Json {
  return mapped(properties, (property) => {
    const { default: given, $ref: reference } = property;
    if (typeof given !== 'object' || given === null || Array.isArray(given) || Object.keys(given).length > 0)
      return property;
    const members = schemas[String(reference).slice(schemaPath.length)]?.['properties'] as Properties;
    return { ...property, default: mapped(members, (member) => member['default']) };
  });
}

function mapped(properties: Properties, change: (property: Json) => unknown): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, change(property)]));
}

function partOf(name: string, { $ref: reference }: Json): string {
  if (typeof reference === 'string' && reference.startsWith(schemaPath)) return reference.slice(schemaPath.length);
  throw new Error(`${name} may be composed of components only, each as a reference.`);
}

function joined(left: Json, right: Json): Json {
  const required = [
    ...new Set([...((left['required'] ?? []) as string[]), ...((right['required'] ?? []) as string[])]),
  ];
  return {
    ...left,
    ...right,
    ...(required.length === 0 ? {} : { required }),
    ...joinedMembers('properties', left, right),
    ...joinedMembers('dependentSchemas', left, right),
  };
}

function joinedMembers(member: string, left: Json, right: Json): Json {
  const [before, after] = [left[member] ?? {}, right[member] ?? {}] as [Record<string, Json>, Record<string, Json>];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (names.length === 0) return {};
  return { [member]: Object.fromEntries(names.map((name) => [name, { ...before[name], ...after[name] }])) };
}
