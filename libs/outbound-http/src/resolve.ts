import { lookup as systemLookup, Resolver } from 'node:dns/promises';

/** Returns every address of a host name, as text. Rejects when there is none, or when the signal aborts. */
export type Lookup = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const attemptTimeoutMs = 5_000;

/**
 * Queries the name servers for A and AAAA records. Not through the system's resolver: that would use search domains of
 * the cluster and block the threads of file access while a hostile name server delays its response.
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

/** The system's resolver, including the hosts file: for names in the operator's allow-list. */
export const requestSystem: Lookup = async (host, signal) => {
  signal.throwIfAborted();
  const responses = await systemLookup(host, { all: true });
  return responses.map((response) => response.address);
};
