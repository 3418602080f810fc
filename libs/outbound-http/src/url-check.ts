import { fail } from '@rapporteur/failures';
import { isPublic, parseAddress } from './addresses.ts';
import { isLocalhost } from './allow-list.ts';
import type { AllowList } from './allow-list.ts';
import { refusalSentence } from './outbound-failure.ts';

export interface UrlRules {
  readonly allow: AllowList;
  readonly requireHttps: boolean;
  /** Null: every port from 1 to 65535. */
  readonly ports: ReadonlySet<number> | null;
}

/** A URL that passed every check that needs no name resolution. */
export interface CheckedUrl {
  readonly url: URL;
  /** Lower case, without brackets and without the final dot. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** True when only addresses on the allow-list may be reached, because the request is not encrypted. */
  readonly onlyListed: boolean;
}

/** Purpose of a URL: `http` is http and https, `socket` is ws and wss. */
export type UrlKind = 'http' | 'socket';

const schemes = { http: { plain: 'http:', secure: 'https:' }, socket: { plain: 'ws:', secure: 'wss:' } } as const;

export const maxUrlLength = 2_048;

/** Names that are valid only inside a network. Single-label names are refused as well. */
const insideSuffixes = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'svc',
  'home.arpa',
  'in-addr.arpa',
  'ip6.arpa',
  'metadata.goog',
];

/**
 * Checks a customer's URL without name resolution. Throws VALIDATION for text that is not a usable URL and
 * ADDRESS_REFUSED, always with the same sentence, for a host that may not be called.
 */
export function checkUrl(text: string, rules: UrlRules, kind: UrlKind = 'http'): CheckedUrl {
  const url = parseUrl(text, kind);
  const secure = url.protocol === schemes[kind].secure;
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  if (port < 1 || (rules.ports !== null && !rules.ports.has(port))) throw notValid('uses a port that is not allowed');
  const host = bareHost(url.hostname);
  const listed = isListed(host, port, rules.allow);
  if (!listed && !leadsOutside(host)) throw fail('ADDRESS_REFUSED', { message: refusalSentence });
  if (rules.requireHttps && !secure && !listed) throw notValid(`must start with ${schemes[kind].secure}//`);
  return { url, host, port, secure, onlyListed: rules.requireHttps && !secure };
}

function parseUrl(text: string, kind: UrlKind): URL {
  const { plain, secure } = schemes[kind];
  if (text.length > maxUrlLength) throw notValid(`is longer than ${maxUrlLength} characters`);
  // The URL parser drops or rewrites these; another reader of the same text might not.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(text)) throw notValid('holds a space, a control character or a backslash');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== secure && url.protocol !== plain) || url.hostname === '')
    throw notValid(`is not a valid ${plain.slice(0, -1)} or ${secure.slice(0, -1)} address`);
  if (url.username !== '' || url.password !== '') throw notValid('holds a user name or password');
  // RFC 6455: a WebSocket address has no fragment.
  if (kind === 'socket' && text.includes('#')) throw notValid('holds a #, which a WebSocket address may not');
  return url;
}

function notValid(why: string): Error {
  return fail('VALIDATION', { message: `The address ${why}.`, details: 'url' });
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isListed(host: string, port: number, allow: AllowList): boolean {
  const address = parseAddress(host);
  if (address !== null) return allow.admitsAddress(address, port);
  return allow.admitsName(host, port) || allow.admitsLocalhost(host);
}

function leadsOutside(host: string): boolean {
  const address = parseAddress(host);
  if (address !== null) return isPublic(address);
  if (!host.includes('.') || host.includes('..') || host.startsWith('.') || isLocalhost(host)) return false;
  return !insideSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
