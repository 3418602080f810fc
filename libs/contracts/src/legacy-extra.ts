const key = 'legacy_extra';

/**
 * The legacy API accepts any JSON as `extra`; internally it is an object or null. Other values are wrapped in an object
 * with one key. An object of that form is wrapped as well, so that unwrapping returns exactly the original.
 */
export function wrapLegacyExtra(extra: unknown): Record<string, unknown> | null {
  if (extra === null || extra === undefined) return null;
  return isObject(extra) && !isWrapping(extra) ? extra : { [key]: extra };
}

/** The `extra` of a legacy bot as its creator sent it. */
export function unwrapLegacyExtra(extra: Record<string, unknown> | null): unknown {
  return extra !== null && isWrapping(extra) ? extra[key] : extra;
}

/** `extra` in a legacy response or event: the creator's value, `{}` where none was given. Clients rely on an object. */
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
