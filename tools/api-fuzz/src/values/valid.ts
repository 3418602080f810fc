import fc from 'fast-check';
import type { ApiDocument, Schema } from '../document/document.ts';
import { textArbitrary } from './text.ts';

/**
 * For schemas of this component name, or members of this name: other values in place of the usual ones, where values
 * that match the schema alone would cover too little of the service.
 */
export type Overrides = ReadonlyMap<string, (usual: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>>;

const mostDepth = 12;
const largestNumber = 2_000_000_000;

/** Values that match a schema: every optional member absent or present, null where allowed, ranges at their edges. */
export class ValidValues {
  readonly #document: ApiDocument;
  readonly #overrides: Overrides;
  readonly #made = new WeakMap<Schema, fc.Arbitrary<unknown>>();

  constructor(document: ApiDocument, overrides: Overrides = new Map()) {
    this.#document = document;
    this.#overrides = overrides;
  }

  /** Every value is valid, rules across members included. */
  of(schema: Schema): fc.Arbitrary<unknown> {
    const known = this.#made.get(schema);
    if (known !== undefined) return known;
    const made = this.#of(schema, '', 0).filter((value) => this.#document.fits(schema, value));
    this.#made.set(schema, made);
    return made;
  }

  #of(schema: Schema, member: string, depth: number): fc.Arbitrary<unknown> {
    const name = typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? '') : '';
    const own = this.#overrides.get(name) ?? this.#overrides.get(member);
    const usual = this.#usual(schema, member, depth);
    return own === undefined ? usual : own(usual);
  }

  #usual(schema: Schema, member: string, depth: number): fc.Arbitrary<unknown> {
    if (depth > mostDepth) return fc.constant(null);
    const followed = this.#document.follow(schema);
    const branches = (followed['anyOf'] ?? followed['oneOf']) as Schema[] | undefined;
    if (branches !== undefined) {
      const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = followed;
      return fc.oneof(
        ...branches.map((branch) => this.#of({ ...rest, ...this.#document.follow(branch) }, member, depth + 1)),
      );
    }
    if (followed['allOf'] !== undefined) {
      const { allOf, ...rest } = followed;
      const merged = (allOf as Schema[]).map((part) => this.#document.follow(part));
      return this.#of(Object.assign({}, rest, ...merged) as Schema, member, depth + 1);
    }
    if ('const' in followed) return fc.constant(followed['const']);
    if (Array.isArray(followed['enum'])) return fc.constantFrom(...(followed['enum'] as unknown[]));
    return this.#ofTypes(followed, depth);
  }

  #ofTypes(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const types = [schema['type'] ?? []].flat() as string[];
    if (types.length === 0) return freeValue();
    return fc.oneof(
      ...types.map((type) => ({ weight: type === 'null' ? 1 : 3, arbitrary: this.#ofType(schema, type, depth) })),
    );
  }

  #ofType(schema: Schema, type: string, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return numberArbitrary(schema);
      case 'string':
        return textArbitrary(schema);
      case 'array':
        return this.#list(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        throw new Error(`No values are known for type ${type}.`);
    }
  }

  #list(schema: Schema, depth: number): fc.Arbitrary<unknown[]> {
    const item = this.#of((schema['items'] ?? {}) as Schema, '', depth + 1);
    const least = (schema['minItems'] as number | undefined) ?? 0;
    const most = (schema['maxItems'] as number | undefined) ?? least + 4;
    const lengths = { minLength: least, maxLength: Math.min(most, least + 4) };
    if (schema['uniqueItems'] !== true) return fc.array(item, lengths);
    return fc.uniqueArray(item, { ...lengths, selector: (value) => JSON.stringify(value) });
  }

  #object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
    const required = new Set((schema['required'] ?? []) as string[]);
    if (properties.length === 0 && schema['additionalProperties'] !== false) return freeObject();
    const members = properties.map(([name, inner]) => {
      const value = this.#of(inner, name, depth + 1);
      const given = value.map((found): [string, unknown][] => [[name, found]]);
      const left = fc.constant<[string, unknown][]>([]);
      return required.has(name) ? given : fc.oneof({ weight: 3, arbitrary: left }, { weight: 2, arbitrary: given });
    });
    return fc.tuple(...members).map((parts) => Object.fromEntries(parts.flat()));
  }
}

function numberArbitrary(schema: Schema): fc.Arbitrary<number> {
  const whole = [schema['type']].flat().includes('integer');
  const least = (schema['minimum'] as number | undefined) ?? (schema['exclusiveMinimum'] === 0 ? 1 : -largestNumber);
  const most = (schema['maximum'] as number | undefined) ?? largestNumber;
  const between = whole ? fc.integer({ min: least, max: most }) : fc.double({ min: least, max: most, noNaN: true });
  return fc.oneof(fc.constant(least), fc.constant(most), between).map((value) => (Object.is(value, -0) ? 0 : value));
}

const memberName = fc.oneof(
  fc.constantFrom('customer_id', 'region', 'a b', 'ключ', 'constructor', 'toString', 'x-1', '🎥', '$ref'),
  fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => name !== '__proto__'),
);
const freeLeaf = fc.oneof(
  textArbitrary({ type: 'string', maxLength: 60 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }).map((value) => (value === 0 ? 0 : value)),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(9_007_199_254_740_991, -1, 0, 1e21, 0.1),
);

function freeValue(): fc.Arbitrary<unknown> {
  return fc.oneof(freeLeaf, fc.array(freeLeaf, { maxLength: 3 }), freeObject());
}

/** Objects with any members, a few levels deep. */
export function freeObject(): fc.Arbitrary<Record<string, unknown>> {
  const { tree } = fc.letrec<{ tree: unknown; object: Record<string, unknown> }>((tie) => ({
    object: fc.dictionary(memberName, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      freeLeaf,
      tie('object'),
      fc.array(tie('tree'), { maxLength: 3 }),
    ),
  }));
  return fc.dictionary(memberName, tree, { maxKeys: 5, noNullPrototype: true });
}
