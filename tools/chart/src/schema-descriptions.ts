import { keyedBatchApis, keyedLiveApis } from '@rapporteur/speech-to-text/providers';
import { serviceSettings } from './service-settings.ts';
import type { ValueRow } from './values-table.ts';

/** The part of JSON Schema that values.schema.json uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly items?: Schema;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | { readonly type: readonly string[] };
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** Keys whose items are the names of a list. */
const listedItems: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['transcription.providers', keyedBatchApis],
  ['transcription.liveProviders', keyedLiveApis],
]);

/** The settings of a service: its names, and what those that are no free text accept. */
function schemaOfSettings(settings: ReadonlyMap<string, Schema>): Schema {
  const limited = [...settings].filter(([, value]) => Object.keys(value).length > 0);
  const alike = Map.groupBy(limited, ([, value]) => JSON.stringify(value));
  const patternProperties = [...alike.values()].map(
    (group) => [`^(${group.map(([name]) => name).join('|')})$`, group[0]?.[1] ?? {}] as const,
  );
  return {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    patternProperties: Object.fromEntries(patternProperties),
    propertyNames: { enum: [...settings.keys()] },
  };
}

/**
 * The schema with the comments of values.yaml as the descriptions of its keys, and with the names of listed items and of
 * the settings of services, and what these accept. A key
 * that it lacks gets the type of its default. Throws for one whose default is null, a list or a map, or whose parent it
 * lacks.
 */
export function describeSchema(schema: Schema, rows: readonly ValueRow[]): Schema {
  return rows.reduce((described, row) => withDescription(described, row.key.split('.'), row), schema);
}

function withDescription(schema: Schema, [key, ...rest]: readonly string[], row: ValueRow): Schema {
  if (key === undefined) {
    const settings = serviceSettings.get(row.key);
    if (settings !== undefined) return { ...schemaOfSettings(settings), description: row.description };
    const items = listedItems.get(row.key);
    return { ...schema, ...(items === undefined ? {} : { items: { enum: items } }), description: row.description };
  }
  // A definition that several keys share describes its own keys.
  if (schema.$ref !== undefined) return schema;
  const property = schema.properties?.[key] ?? (rest.length === 0 ? schemaOfDefault(row) : undefined);
  if (property === undefined) throw new Error(`values.schema.json has no key ${row.key}.`);
  return { ...schema, properties: { ...schema.properties, [key]: withDescription(property, rest, row) } };
}

function schemaOfDefault({ standard }: ValueRow): Schema | undefined {
  const type = typeof (JSON.parse(standard) as unknown);
  return type === 'boolean' || type === 'number' || type === 'string' ? { type } : undefined;
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
