import { setGlobalProxyFromEnv } from 'node:http';
import type { AgentOptions } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How a network without a direct way out is left. Addresses without credentials. */
export interface ProxySettings {
  /** For http addresses; null: they are called directly. */
  readonly http: string | null;
  /** For https and wss addresses, by CONNECT; null: they are called directly. */
  readonly https: string | null;
  /** Hosts that are called directly: `example.com`, `.example.com` with all below it, `host:port`, an IP address, `10.0.0.0/8`. */
  readonly exceptions: readonly string[];
}

type ProxyEnvironment = NonNullable<AgentOptions['proxyEnv']>;

/** This machine is never called through a proxy. */
const loopback = ['localhost', '.localhost', '127.0.0.1', '127.0.0.0/8', '::1'];

/** The settings in the form of Node's agents. `direct`: further exceptions. */
function proxyEnvironment(
  { http, https, exceptions }: ProxySettings,
  direct: readonly string[] = [],
): ProxyEnvironment {
  return {
    ...(http === null ? {} : { HTTP_PROXY: http }),
    ...(https === null ? {} : { HTTPS_PROXY: https }),
    NO_PROXY: [...loopback, ...direct, ...exceptions].flatMap(exceptionsForNode).join(','),
  };
}

/**
 * Node has no notation with a slash, and one for the first and the last address of a range. Its agents compare IPv6
 * addresses without brackets, its `fetch` with them.
 */
function exceptionsForNode(text: string): string[] {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) === 6) return [bare, `[${bare}]`];
  if (!text.includes('/')) return [text];
  const [first, last] = [ipaddr.IPv4.networkAddressFromCIDR(text), ipaddr.IPv4.broadcastAddressFromCIDR(text)];
  return [`${first.toString()}-${last.toString()}`];
}

/** The service's settings (`proxyConfig` of libs/service-runtime); null: everything is called directly. */
export function proxyOf(config: {
  readonly httpProxy?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly noProxy?: readonly string[];
}): ProxySettings | null {
  const { httpProxy, httpsProxy, noProxy = [] } = config;
  if (httpProxy === undefined && httpsProxy === undefined) return null;
  return { http: httpProxy ?? null, https: httpsProxy ?? null, exceptions: noProxy };
}

/** A tunnel that is not open by then is given up; as an option of the agent also the life of an idle connection. */
const tunnelTimeoutMs = 30_000;

export type ProxyOptions = Pick<AgentOptions, 'proxyEnv' | 'timeout'>;

/** Options of an agent for this proxy. Null: none. */
export function proxyOptions(proxy: ProxySettings | null): ProxyOptions {
  return proxy === null ? {} : { proxyEnv: proxyEnvironment(proxy), timeout: tunnelTimeoutMs };
}

/**
 * Sends every `fetch` of this process through the proxy, for libraries that bring their own requests. `direct`: addresses
 * within the deployment, which are never called through it. @returns what restores the state before
 */
export function useProxyForFetch(proxy: ProxySettings, direct: readonly string[]): () => void {
  return setGlobalProxyFromEnv(
    proxyEnvironment(
      proxy,
      direct.map((url) => new URL(url).hostname),
    ),
  );
}
