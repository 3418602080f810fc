import type { ApiDocument, Schema } from '../document/document.ts';

/** A value that a schema refuses, by one known fault. */
export interface Mutant {
  readonly value: unknown;
  /** `/timeout_config/grace_period: above the maximum`. */
  readonly reason: string;
}

export interface Fault {
  readonly value: unknown;
  readonly what: string;
}

/** Every single-fault variation of a valid value, each of which the schema refuses. */
export function mutantsOf(document: ApiDocument, schema: Schema, value: unknown): Mutant[] {
  return walk(document, { schema, value, path: '' }).filter((mutant) => !document.fits(schema, mutant.value));
}

interface Place {
  readonly schema: Schema;
  readonly value: unknown;
  readonly path: string;
}

function walk(document: ApiDocument, { schema, value, path }: Place): Mutant[] {
  const followed = document.follow(schema);
  const own = faultsOf(followed, value).map((fault) => ({
    value: fault.value,
    reason: `${path === '' ? '/' : path}: ${fault.what}`,
  }));
  return [...own, ...membersOf(followed, value, path).flatMap((member) => mutateMember(document, value, member))];
}

interface Member extends Place {
  readonly key: string | number;
}

function membersOf(schema: Schema, value: unknown, path: string): Member[] {
  if (Array.isArray(value)) {
    const items = schema['items'] as Schema | undefined;
    if (items === undefined || value.length === 0) return [];
    return [{ schema: items, value: value[0] as unknown, path: `${path}/0`, key: 0 }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  return Object.entries(value).flatMap(([key, inner]) =>
    Object.hasOwn(properties, key)
      ? [{ schema: properties[key] as Schema, value: inner as unknown, path: `${path}/${key}`, key }]
      : [],
  );
}

function mutateMember(document: ApiDocument, parent: unknown, member: Member): Mutant[] {
  return walk(document, member).map(({ value, reason }) => ({ value: withMember(parent, member.key, value), reason }));
}

function withMember(parent: unknown, key: string | number, value: unknown): unknown {
  if (Array.isArray(parent)) return parent.map((item: unknown, at) => (at === key ? value : item));
  return { ...(parent as object), [key]: value };
}

/**
 * Wrong values for one place, from its own schema with references resolved. Some may be valid through another branch of
 * the schema: the caller drops those.
 */
export function faultsOf(schema: Schema, value: unknown): Fault[] {
  return [
    ...typeFaults(schema),
    ...valueFaults(schema),
    ...numberFaults(schema),
    ...textFaults(schema, value),
    ...listFaults(schema, value),
    ...objectFaults(schema, value),
  ];
}

const samples: readonly Fault[] = [
  { value: 'text', what: 'a text' },
  { value: 7, what: 'a number' },
  { value: 7.5, what: 'a fraction' },
  { value: true, what: 'a boolean' },
  { value: null, what: 'null' },
  { value: [], what: 'a list' },
  { value: {}, what: 'an object' },
  { value: '600', what: 'a number as text' },
];

function typeFaults(schema: Schema): Fault[] {
  const types = [schema['type'] ?? []].flat() as string[];
  if (types.length === 0) return [];
  return samples
    .filter(({ value }) => !types.some((type) => isOfType(value, type)))
    .map(({ value, what }) => ({ value, what: `${what} where ${types.join(' or ')} belongs` }));
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function valueFaults(schema: Schema): Fault[] {
  const allowed = 'const' in schema ? [schema['const']] : ((schema['enum'] ?? []) as unknown[]);
  return allowed.flatMap((one): Fault[] => {
    if (typeof one === 'string') return [{ value: `${one}_`, what: 'none of the allowed values' }];
    return typeof one === 'number' ? [{ value: one + 1, what: 'none of the allowed numbers' }] : [];
  });
}

function numberFaults(schema: Schema): Fault[] {
  const faults: Fault[] = [];
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (minimum !== undefined) faults.push({ value: minimum - 1, what: 'below the minimum' });
  if (maximum !== undefined) faults.push({ value: maximum + 1, what: 'above the maximum' });
  if ([schema['type']].flat().includes('integer')) faults.push({ value: 1e300, what: 'a huge number' });
  return faults;
}

const misfits: Readonly<Record<string, readonly string[]>> = {
  uri: ['not a link', 'https://', '//a.invalid'],
  uuid: ['7', '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b1', 'zzzzzzzz-6f0e-4a55-9d0e-0a2f6a1c7b11'],
  'date-time': ['yesterday', '2031-05-04', '2031-13-04T09:00:00Z', '2031-02-30T09:00:00Z'],
  email: ['no-at-sign', 'a@', '@a.invalid'],
};

function textFaults(schema: Schema, value: unknown): Fault[] {
  const { minLength, maxLength, pattern, format } = schema as {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    format?: string;
  };
  const faults: Fault[] = [];
  if (minLength !== undefined && minLength > 0)
    faults.push({ value: 'x'.repeat(minLength - 1), what: 'shorter than allowed' });
  if (maxLength !== undefined) {
    const texts = [longText(schema, maxLength + 1), ...(typeof value === 'string' ? lengthened(value, maxLength) : [])];
    faults.push(...texts.map((text) => ({ value: text, what: 'longer than allowed' })));
  }
  if (pattern !== undefined) {
    for (const text of ['ftp://a.invalid/', 'http://a.invalid/', '€', '', ' ', ',', 'a:']) {
      if (!new RegExp(pattern, 'u').test(text)) faults.push({ value: text, what: 'off the pattern' });
    }
  }
  if (format !== undefined) {
    const texts = [...(misfits[format] ?? []), ...(format === 'uri' ? [`${schemeOf(pattern)}://a.invalid/a b`] : [])];
    for (const text of texts) faults.push({ value: text, what: `no ${format}` });
  }
  return faults;
}

/** Too long and, as far as possible, valid otherwise. */
function longText({ format, pattern }: Schema, length: number): string {
  if (format === 'email') return `a@${'a.'.repeat(length)}invalid`;
  if (format === 'date-time') return `2031-05-04T09:00:00.${'0'.repeat(length)}Z`;
  if (format === 'uri') return `${schemeOf(pattern)}://a.invalid/${'x'.repeat(length)}`;
  return 'x'.repeat(length);
}

/** The first that the pattern matches. */
function schemeOf(pattern: unknown): string {
  const schemes = ['https', 'http', 'wss', 'ws'];
  const takes = (scheme: string) =>
    typeof pattern !== 'string' || new RegExp(pattern, 'u').test(`${scheme}://a.invalid`);
  return schemes.find(takes) ?? 'https';
}

/** A valid text, lengthened in ways that most patterns still match. */
function lengthened(text: string, most: number): string[] {
  const times = Math.ceil(most / (text.length + 1)) + 1;
  return [Array.from({ length: times }, () => text).join(','), text + text.slice(-1).repeat(most)];
}

function listFaults(schema: Schema, value: unknown): Fault[] {
  if (!Array.isArray(value)) return [];
  const items: unknown[] = value;
  const faults: Fault[] = [];
  const { minItems, maxItems } = schema as { minItems?: number; maxItems?: number };
  if (minItems !== undefined && minItems > 0)
    faults.push({ value: items.slice(0, minItems - 1), what: 'too few items' });
  if (maxItems !== undefined && items.length > 0)
    faults.push({ value: Array.from({ length: maxItems + 1 }, () => items[0]), what: 'too many items' });
  if (schema['uniqueItems'] === true && items.length > 0)
    faults.push({ value: [...items, items[0]], what: 'an item twice' });
  return faults;
}

function objectFaults(schema: Schema, value: unknown): Fault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const required = (schema['required'] ?? []) as string[];
  const faults: Fault[] = required.map((name) => ({
    value: Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
    what: `${name} is missing`,
  }));
  if (schema['additionalProperties'] === false) {
    faults.push({ value: { ...value, unexpected_member: 1 }, what: 'an extra member' });
  }
  const least = schema['minProperties'] as number | undefined;
  if (least !== undefined) {
    const neededFirst = Object.entries(value).sort(
      ([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)),
    );
    faults.push({ value: Object.fromEntries(neededFirst.slice(0, least - 1)), what: 'too few members' });
  }
  return faults;
}
