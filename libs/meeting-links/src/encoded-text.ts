/** The text without its percent-encoding, or null where it has one that is damaged. A plus sign stays one. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The UTF-8 text of base64 or base64url, or null. */
export function decodeBase64(text: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Every value of a query parameter, percent-decoded; null in place of a damaged one. Unlike URLSearchParams it keeps a
 * plus sign: passcodes are opaque. A link copied out of HTML separates its parameters by `&amp;`.
 */
export function queryValues(url: URL, name: string): (string | null)[] {
  return url.search
    .slice(1)
    .split(/&(?:amp;)*/)
    .filter((pair) => pair === name || pair.startsWith(`${name}=`))
    .map((pair) => decodePercent(pair.slice(name.length + 1)));
}
