type Json = Record<string, unknown>;

/** A schema after a condition adds a rule to an object that is defined elsewhere. */
const conditional: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not', 'dependentSchemas']);
const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum']);

/**
 * A copy of a public document in which responses have no members other than those listed: what this version sends.
 * Clients get the document without that rule, because a later version may send more. Objects with free members stay
 * open.
 */
export function withClosedResponses(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(withClosedResponses);
  if (typeof document !== 'object' || document === null) return document;
  const { properties, additionalProperties, type } = document as Json;
  const isNamed = [type].flat().includes('object') && properties !== undefined && additionalProperties === undefined;
  return {
    ...Object.fromEntries(
      Object.entries(document).map(([member, inner]) => [
        member,
        values.has(member) || conditional.has(member) ? inner : withClosedResponses(inner),
      ]),
    ),
    ...(isNamed ? { additionalProperties: false } : {}),
  };
}
