/**
 * The same value with all text storable by PostgreSQL: NUL is removed, a lone surrogate becomes U+FFFD. Text from
 * outside is any sequence of UTF-16 units, which neither `text` nor `jsonb` accepts.
 */
export function withStorableText(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(withStorableText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storableText(name), withStorableText(member)]),
  );
}

/** The same for one text. Must follow any truncation, which can split a surrogate pair. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** True when PostgreSQL stores the text unchanged. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** JSON.stringify's escapes of NUL and lone surrogates; a text may also contain such an escape literally. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

/** JSON of a value with all text storable. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return suspicious.test(text) ? JSON.stringify(withStorableText(JSON.parse(text))) : text;
}
