import { Agent as PlainAgent } from 'node:http';
import type { AgentOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { guardedLookup } from './guarded-lookup.ts';
import type { ProxyOptions } from './proxy.ts';
import type { Lookup } from './resolve.ts';
import type { TrustOptions } from './socket.ts';
import { checkUrl } from './url-check.ts';
import type { UrlRules } from './url-check.ts';

/** For a client library that sends its own HTTP requests, an S3 client for example. */
export interface GuardedAgents {
  readonly plain: PlainAgent;
  readonly secure: SecureAgent;
}

interface Guard {
  readonly rules: UrlRules;
  readonly trust: TrustOptions;
  readonly proxy: ProxyOptions;
  readonly lookup: Lookup | undefined;
}

const lookupTimeoutMs = 5_000;
const connectionsAtMost = 50;

/**
 * Every connection is checked like a request of this library: literal addresses before, names on resolution unless a
 * proxy resolves them.
 */
export function createGuardedAgents(guard: Guard): GuardedAgents {
  const options = { keepAlive: true, maxSockets: connectionsAtMost, maxFreeSockets: 10, ...guard.proxy };
  return {
    plain: guarded(new PlainAgent(options), 'http', guard),
    secure: guarded(new SecureAgent({ ...options, ...guard.trust }), 'https', guard),
  };
}

type Connect = (
  options: AgentOptions & { host?: string; port?: number | string },
  callback?: (error: Error | null, stream: Duplex) => void,
) => Duplex | null | undefined;

function guarded<AnyAgent extends PlainAgent>(agent: AnyAgent, scheme: 'http' | 'https', guard: Guard): AnyAgent {
  const target = agent as AnyAgent & { createConnection: Connect };
  const connect = target.createConnection.bind(agent);
  target.createConnection = (options, callback) => {
    const host = options.host ?? '';
    const authority = host.includes(':') ? `[${host}]` : host;
    // Throws before a connection is opened; the agent's caller gets the error of its request.
    const checked = checkUrl(`${scheme}://${authority}:${options.port ?? ''}/`, guard.rules);
    const lookup = guardedLookup(checked, guard.rules.allow, guard.lookup, lookupTimeoutMs);
    return connect({ ...options, lookup } as typeof options, callback);
  };
  return agent;
}
