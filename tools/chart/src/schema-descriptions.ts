import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyedBatchApis, keyedLiveApis } from '@rapporteur/speech-to-text/providers';
import { z } from 'zod';
import { gatewayConfig } from '@rapporteur/api-gateway/config';
import { schedulerConfig } from '@rapporteur/bot-scheduler/config';
import { calendarSyncConfig } from '@rapporteur/calendar-sync/config';
import { consoleConfig } from '@rapporteur/console/config';
import { deliveryConfig } from '@rapporteur/delivery/config';
import { integer, runtimeConfig, variableName } from '@rapporteur/service-runtime';
import type { ConfigShape } from '@rapporteur/service-runtime';
import { ssoConfig } from '@rapporteur/sso-idp/config';
import { storageConfig } from '@rapporteur/storage-config/config';
import { transcriberConfig } from '@rapporteur/transcriber/config';
import type { ValueRow } from './values-table.ts';

const configurations: Readonly<Record<string, ConfigShape>> = {
  'api-gateway': gatewayConfig,
  'bot-scheduler': schedulerConfig,
  'calendar-sync': calendarSyncConfig,
  console: consoleConfig,
  delivery: deliveryConfig,
  'sso-idp': ssoConfig,
  'storage-config': storageConfig,
  transcriber: transcriberConfig,
};

/** A value of a setting; `{}`: any text. */
type Value = { readonly type?: readonly string[]; readonly enum?: readonly unknown[]; readonly pattern?: string };
const wholeNumber = z.toJSONSchema(integer(0, 1), { io: 'input' }).pattern;

/** What settings accept, by the names that the chart takes, by the key of values whose keys they are. */
const serviceSettings: ReadonlyMap<string, ReadonlyMap<string, Value>> = new Map([
  ...Object.entries(configurations).map(([service, shape]) => {
    const settings = Object.entries({ ...runtimeConfig, ...shape })
      .map(([key, schema]) => [variableName(key).replace(/^RAPPORTEUR_/, ''), valueOf(schema)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return [`services.${service}.settings`, new Map(settings)] as const;
  }),
  ['whisper.settings', new Map(settingsOfWhisper().map((name) => [name, {}]))],
]);

/** Numbers and truth values of YAML are as good as their text. */
function valueOf(schema: z.ZodType): Value {
  const { enum: texts, pattern } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (pattern !== undefined) return pattern === wholeNumber ? { type: ['integer', 'string'], pattern } : { pattern };
  if (texts === undefined) return {};
  return { enum: texts.flatMap((text) => (text === 'true' || text === 'false' ? [text, text === 'true'] : [text])) };
}

/** The program in Python has no list that could be imported. */
function settingsOfWhisper(): string[] {
  const file = join(import.meta.dirname, '../../../apps/whisper/whisper_server/configuration.py');
  return [...readFileSync(file, 'utf8').matchAll(/^ {4}(\w+): \w+ = _setting\(/gm)]
    .map(([, name = '']) => name.toUpperCase())
    .sort();
}

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
