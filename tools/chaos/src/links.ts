import { startFreezingProxy } from '@rapporteur/testbed';
import type { FreezingProxy } from '@rapporteur/testbed';
import type { Link } from './plan.ts';

/** The network between the clients of PostgreSQL and NATS and these servers: one proxy per client and server. */
export interface Links {
  /** The address of `server` for `client` only. */
  reach(client: string, server: 'postgres' | 'nats', address: string): Promise<string>;
  /** @throws Error when no client uses this link */
  proxyOf(link: Link): FreezingProxy;
  stop(): Promise<void>;
}

export function createLinks(): Links {
  const proxies = new Map<string, FreezingProxy>();
  return {
    reach: async (client, server, address) => {
      const proxy = await startFreezingProxy(address);
      proxies.set(`${client}>${server}`, proxy);
      return proxy.url;
    },
    proxyOf: (link) => {
      const proxy = proxies.get(link);
      if (proxy === undefined) throw new Error(`Nothing connects through ${link}.`);
      return proxy;
    },
    stop: async () => {
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()));
    },
  };
}
