/** As JSON.stringify escapes character 0 and a half of a surrogate pair; a text may also spell such an escape. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

/** JSON of what a provider sent, for PostgreSQL, which stores no character 0 and no half of a surrogate pair. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return suspicious.test(text) ? JSON.stringify(storable(JSON.parse(text))) : text;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), storable(member)]));
}
