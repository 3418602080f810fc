/** JSON.stringify's escapes of NUL and lone surrogates; a text may also contain such an escape literally. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

/** JSON of provider data for PostgreSQL, which stores neither NUL nor lone surrogates. */
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
