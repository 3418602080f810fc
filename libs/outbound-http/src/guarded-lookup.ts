import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { isPublic, parseAddress } from './addresses.ts';
import type { AllowList } from './allow-list.ts';
import { errorCode, notResolved, OutboundFailure, refused } from './outbound-failure.ts';
import { requestNameServers, requestSystem } from './resolve.ts';
import type { Lookup } from './resolve.ts';
import type { CheckedUrl } from './url-check.ts';

/**
 * Name resolution by the socket, at connect time: the checked address is the one connected to, so a name server that
 * changes its response has no effect. Literal addresses do not get here; checkUrl has checked them.
 */
export function guardedLookup(
  target: CheckedUrl,
  allow: AllowList,
  given: Lookup | undefined,
  timeoutMs: number,
): LookupFunction {
  return async (_host, lookupOptions, callback) => {
    const outcome = await judgedAddresses(target, allow, given, timeoutMs).catch(asFailure);
    if (outcome instanceof OutboundFailure) return callback(outcome, '', 0);
    const [first] = outcome;
    if (first === undefined) return callback(notResolved('no address'), '', 0);
    return lookupOptions.all === true ? callback(null, outcome) : callback(null, first.address, first.family);
  };
}

function asFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  return notResolved(errorCode(error));
}

async function judgedAddresses(
  target: CheckedUrl,
  allow: AllowList,
  given: Lookup | undefined,
  timeoutMs: number,
): Promise<{ address: string; family: number }[]> {
  const { host, port, onlyListed } = target;
  const named = allow.admitsName(host, port);
  const texts = await addressesOf(host, allow, given ?? (named ? requestSystem : requestNameServers), timeoutMs);
  return texts.map((text) => {
    const address = parseAddress(text);
    if (address === null) throw refused('a lookup result that is no address');
    const admitted = named || allow.admitsAddress(address, port) || (!onlyListed && isPublic(address));
    if (!admitted) throw refused(`an address of range ${address.range()}`);
    return { address: address.toString(), family: isIP(address.toString()) };
  });
}

async function addressesOf(
  host: string,
  allow: AllowList,
  lookup: Lookup,
  timeoutMs: number,
): Promise<readonly string[]> {
  if (allow.admitsLocalhost(host)) return ['127.0.0.1', '::1'];
  return lookup(host, AbortSignal.timeout(timeoutMs));
}
