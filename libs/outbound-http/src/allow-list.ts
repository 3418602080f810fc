import { isInside, parseAddress, parseRange } from './addresses.ts';
import type { Address, AddressRange } from './addresses.ts';

interface AddressRule {
  readonly range: AddressRange;
  /** Null admits every port. */
  readonly port: number | null;
}

/** Addresses that the operator allows although they are not public. */
export interface AllowList {
  /** True when a rule contains this address, on this port. */
  admitsAddress(address: Address, port: number): boolean;
  /** True when a rule contains this host name, on this port. Its addresses are then not checked. */
  admitsName(name: string, port: number): boolean;
  /** True for `localhost` and the names below it, when loopback is allowed. */
  admitsLocalhost(name: string): boolean;
}

const loopbackRanges = ['127.0.0.0/8', '::1/128'].map((text) => parseRange(text) as AddressRange);

/**
 * Parses the operator's rules: `loopback`, an address or range (`10.1.2.3`, `10.0.0.0/8`, `fd00::/8`), or one host and
 * port (`receiver.internal:8443`, `10.1.2.3:80`, `[fd00::1]:80`). Throws with the rule that is invalid.
 */
export function readAllowList(rules: readonly string[]): AllowList {
  const addressRules: AddressRule[] = [];
  const names = new Set<string>();
  const loopback = rules.includes('loopback');
  if (loopback) addressRules.push(...loopbackRanges.map((range) => ({ range, port: null })));
  for (const rule of rules.filter((text) => text !== 'loopback')) {
    const range = parseRange(rule);
    if (range !== null) addressRules.push({ range, port: null });
    else readHostAndPort(rule, addressRules, names);
  }
  return {
    admitsAddress: (address, port) =>
      addressRules.some((rule) => (rule.port === null || rule.port === port) && isInside(address, rule.range)),
    admitsName: (name, port) => names.has(`${name}:${port}`),
    admitsLocalhost: (name) => loopback && isLocalhost(name),
  };
}

function readHostAndPort(rule: string, addressRules: AddressRule[], names: Set<string>): void {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(rule) ?? [];
  const host = (bracketed ?? plain ?? '').toLowerCase();
  const port = Number(digits);
  const isName = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(host);
  const range = parseAddress(host) === null ? null : parseRange(host);
  if (host === '' || port < 1 || port > 65_535 || (range === null && !isName)) {
    throw new Error(
      `The allowed address "${rule}" is not understood. Write loopback, an address, a range such as 10.0.0.0/8, or host:port.`,
    );
  }
  if (range !== null) addressRules.push({ range, port });
  else names.add(`${host}:${port}`);
}

export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}
