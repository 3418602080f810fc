import type { ValueRow } from './values-table.ts';

/** The part of JSON Schema that values.schema.json uses. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/**
 * The schema with the comments of values.yaml as the descriptions of its keys. Throws for a key that the schema lacks.
 */
export function describeSchema(schema: Schema, rows: readonly ValueRow[]): Schema {
  return rows.reduce(
    (described, { key, description }) => withDescription(described, key.split('.'), description),
    schema,
  );
}

function withDescription(schema: Schema, [key, ...rest]: readonly string[], description: string): Schema {
  if (key === undefined) return { ...schema, description };
  // A definition that several keys share describes its own keys.
  if (schema.$ref !== undefined) return schema;
  const property = schema.properties?.[key];
  if (property === undefined) throw new Error(`values.schema.json has no key ${key}.`);
  return { ...schema, properties: { ...schema.properties, [key]: withDescription(property, rest, description) } };
}

/** Keys of values, down to those whose schema is a definition or names no keys. */
export function keysOfSchema({ properties = {} }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([key, schema]) =>
    schema.properties === undefined ? [`${prefix}${key}`] : keysOfSchema(schema, `${prefix}${key}.`),
  );
}

/** Keys, also of definitions, that have neither a description nor a described definition. */
export function undescribedKeys(schema: Schema): string[] {
  const { definitions = {} } = schema;
  const isDescribed = ({ $ref, description }: Schema): boolean =>
    description !== undefined || definitions[$ref?.split('/').at(-1) ?? '']?.description !== undefined;
  const below = ({ properties = {} }: Schema, prefix: string): string[] =>
    Object.entries(properties).flatMap(([key, one]) => [
      ...(isDescribed(one) ? [] : [`${prefix}${key}`]),
      ...below(one, `${prefix}${key}.`),
    ]);
  return [below(schema, ''), ...Object.entries(definitions).map(([name, one]) => below(one, `${name}: `))].flat();
}
