import { lookup as systemLookup, Resolver } from 'node:dns/promises';

/** Gives every address of a host name, as text. Rejects when there is none, or when the signal aborts. */
export type Lookup = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const attemptTimeoutMs = 5_000;

/**
 * Asks the name servers for A and AAAA records. Not through the system's lookup: that would try search domains of the
 * cluster and occupy the few threads file access needs, for as long as a hostile name server likes.
 */
export const requestNameServers: Lookup = async (host, signal) => {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: attemptTimeoutMs, tries: 2 });
  const stop = (): void => resolver.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const responses = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
    if (addresses.length > 0) return addresses;
    throw (responses[0] as PromiseRejectedResult).reason as Error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

/** The system's own lookup, hosts file included: for names the operator wrote into the allow-list. */
export const requestSystem: Lookup = async (host, signal) => {
  signal.throwIfAborted();
  const responses = await systemLookup(host, { all: true });
  return responses.map((response) => response.address);
};
