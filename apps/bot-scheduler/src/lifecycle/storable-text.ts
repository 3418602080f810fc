/**
 * The same value with every text in it as PostgreSQL can keep it: without NUL, and with U+FFFD for half a surrogate pair. What
 * participants type into a meeting is any sequence of UTF-16 units; what `jsonb` takes is not.
 */
export function withStorableText(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(withStorableText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storableText(name), withStorableText(member)]),
  );
}

/** The same for one text. Cutting a text to a length can halve a pair, so it comes after that. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
