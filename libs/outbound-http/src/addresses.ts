import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = readonly [Address, number];

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** The well-known prefix of NAT64 (RFC 6052), which resolvers of a network without IPv4 put before IPv4 addresses. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** A public address that the cloud's own host serves to every machine in it. */
const cloudHostAddress = ipaddr.IPv4.parse('168.63.129.16');

/**
 * Parses one IP address in its usual notation; an IPv4-mapped IPv6 address becomes its IPv4 address. Null for other
 * text.
 */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%')) return null;
  return ipaddr.process(text);
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a bare address (the range of that one address). Null when it is neither. */
export function parseRange(text: string): AddressRange | null {
  const [base = '', bits, ...rest] = text.split('/');
  const address = parseAddress(base);
  if (address === null || rest.length > 0) return null;
  const widest = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, widest];
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > widest) return null;
  return [address, Number(bits)];
}

export function isInside(address: Address, [base, bits]: AddressRange): boolean {
  return address.kind() === base.kind() && address.match(base as never, bits);
}

/**
 * True for an address of the public internet. False for every address that a machine inside a network may reach
 * differently: private, loopback, link-local, shared (100.64/10), documentation, benchmarking, multicast, 0/8, class E,
 * and every IPv6 form that contains an IPv4 address (mapped is unwrapped before; local NAT64 prefixes, 6to4, Teredo,
 * ISATAP). An address with the well-known prefix of NAT64 is the IPv4 address that it contains.
 */
export function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv6 && address.match(nat64)) return isPublic(behindNat64(address));
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return !address.match(cloudHostAddress, 32);
  return address.match(globalUnicast) && !carriesIsatap(address);
}

function behindNat64(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** ISATAP interface ids are 0000:5efe or 0200:5efe followed by an IPv4 address. */
function carriesIsatap(address: ipaddr.IPv6): boolean {
  const upper = address.parts[4] ?? 0;
  return (upper === 0 || upper === 0x200) && address.parts[5] === 0x5efe;
}
