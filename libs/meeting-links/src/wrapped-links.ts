import { decodeBase64, decodePercent } from './encoded-text.ts';

/** Maximum number of links read inside a wrapper. */
const mostInside = 10;
const scheme = /^https?:\/\//i;
/** `https://` and `http://` in base64, up to the character that the next one changes. */
const base64Scheme = /^aHR0c(?:HM6Ly|DovL)/;

/** Microsoft Defender for Cloud Apps appends its own host to that of the link. */
const appendedHost = /\.(?:mcas\.ms|mcas-gov\.(?:us|ms)|(?:[a-z]{2}\d?\.)?cas\.ms)$/;

/**
 * The links inside a wrapper of mail protections, search engines, chats and sign-in pages, in the order of the
 * attempts. Wrappers are recognized by their form, not by their host: a parameter whose value is a link,
 * percent-encoded or in base64; a link in the path or after the question mark; the two encodings of Proofpoint.
 */
export function linksInside(url: URL): string[] {
  const rest = url.href.slice(url.origin.length);
  if (isEncodedByProofpoint(url)) {
    const inside = rest.startsWith('/v3/') ? proofpoint3(rest.slice('/v3/'.length)) : proofpoint2(url);
    return inside === null ? [] : [inside];
  }
  if (appendedHost.test(url.hostname)) return [`https://${url.hostname.replace(appendedHost, '')}${rest}`];
  const fragment = new URLSearchParams(url.hash.slice(1));
  const values = [...url.searchParams.values(), ...fragment.values()].map(linkOf).filter((link) => link !== null);
  const inPath = linkInPath(url.pathname, rest);
  return [...values, ...(inPath === null ? [] : [inPath])].slice(0, mostInside);
}

/** Versions 2 and 3; version 1 has the link percent-encoded, as other wrappers do. */
export function isEncodedByProofpoint({ hostname, pathname }: URL): boolean {
  return /(?:^|\.)urldefense(?:\.proofpoint)?\.(?:com|us)$/.test(hostname) && /^\/v[23]\//.test(pathname);
}

/** A value that is a link, once its second encoding is taken away. */
function linkOf(value: string): string | null {
  if (scheme.test(value)) return value;
  const decoded = base64Scheme.test(value) ? decodeBase64(value) : decodePercent(value);
  return decoded !== null && scheme.test(decoded) ? decoded : null;
}

const encodedScheme = /^https?%(?:25)*3a%(?:25)*2f%(?:25)*2f/i;

/**
 * A path segment that is a link, percent-encoded once or twice or in base64; or a plain link to the end, which two marks
 * of `___` may enclose.
 */
function linkInPath(pathname: string, rest: string): string | null {
  const encoded = pathname.split('/').find((segment) => encodedScheme.test(segment) || base64Scheme.test(segment));
  if (encoded !== undefined) return linkOf(base64Scheme.test(encoded) ? encoded : (decodePercent(encoded) ?? ''));
  const start = rest.search(/https?:\/\//i);
  if (start === -1) return null;
  const plain = rest.slice(start);
  const end = rest.slice(0, start).endsWith('___') ? plain.indexOf('___') : -1;
  return end === -1 ? plain : plain.slice(0, end);
}

/** `u`: `%` is written as `-`, `/` as `_`. */
function proofpoint2(url: URL): string | null {
  const carried = url.searchParams.get('u') ?? '';
  return decodePercent(carried.replaceAll('-', '%').replaceAll('_', '/'));
}

const runLengths = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * `__<link>__;<replaced>!!…`: `*` in the link is the next replaced character, `**` and a letter a run of at least two;
 * the replaced characters are base64url after the link.
 */
function proofpoint3(text: string): string | null {
  const end = text.lastIndexOf('__;');
  if (!text.startsWith('__') || end < 2) return null;
  const [encoded = ''] = text.slice(end + '__;'.length).split(/!|%21/i, 1);
  const replaced = decodeBase64(encoded);
  if (replaced === null) return null;
  const characters = Array.from(replaced);
  let taken = 0;
  const link = text.slice('__'.length, end).replace(/\*(?:\*(.))?/g, (_mark, run: string | undefined) => {
    const length = run === undefined ? 1 : runLengths.indexOf(run) + 2;
    taken += length;
    return characters.slice(taken - length, taken).join('');
  });
  // Mail programs drop the second slash of a path.
  return taken === characters.length ? link.replace(/^(https?:\/)(?!\/)/i, '$1/') : null;
}
