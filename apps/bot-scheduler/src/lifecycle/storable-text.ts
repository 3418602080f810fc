/**
 * The same value with all text storable by PostgreSQL: NUL is removed, a lone surrogate becomes U+FFFD. Participants'
 * text is any sequence of UTF-16 units, which `jsonb` does not accept.
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
