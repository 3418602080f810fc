const key = 'legacy_extra';

/**
 * The legacy API takes any JSON as `extra`; behind the edge it is an object or null. What is neither travels inside an
 * object with one key. An object that looks like such a wrapping is wrapped as well, so that unwrapping gives back exactly what
 * was given.
 */
export function wrapLegacyExtra(extra: unknown): Record<string, unknown> | null {
  if (extra === null || extra === undefined) return null;
  return isObject(extra) && !isWrapping(extra) ? extra : { [key]: extra };
}

/** The `extra` of a legacy bot as its creator gave it. */
export function unwrapLegacyExtra(extra: Record<string, unknown> | null): unknown {
  return extra !== null && isWrapping(extra) ? extra[key] : extra;
}

/** What a legacy response or event shows: what the creator gave, `{}` where nothing was given. Clients rely on an object. */
export function shownLegacyExtra(extra: Record<string, unknown> | null): unknown {
  return unwrapLegacyExtra(extra) ?? {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWrapping(extra: Record<string, unknown>): boolean {
  const keys = Object.keys(extra);
  return keys.length === 1 && keys[0] === key;
}
