import { readFileSync } from 'node:fs';
import { Agent as PlainAgent } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { rootCertificates } from 'node:tls';
import { readAllowList } from './allow-list.ts';
import { exchange, StaleConnection } from './exchange.ts';
import type { ExchangePlan, StreamedBody } from './exchange.ts';
import { guardedLookup } from './guarded-lookup.ts';
import type { Lookup } from './resolve.ts';
import { createGuardedAgents } from './guarded-agents.ts';
import type { GuardedAgents } from './guarded-agents.ts';
import { proxyOptions } from './proxy.ts';
import type { ProxyOptions, ProxySettings } from './proxy.ts';
import { dialSocket } from './socket.ts';
import type { OutboundSocket, OutboundSocketRequest, TrustOptions } from './socket.ts';
import { checkUrl } from './url-check.ts';
import type { UrlKind, UrlRules } from './url-check.ts';

export interface OutboundHttpOptions {
  /** Addresses that the operator allows although they are not public: `loopback`, addresses, ranges, `host:port`. */
  readonly allow: readonly string[];
  /** Plain http is then limited to the addresses in `allow`. */
  readonly requireHttps: boolean;
  /** Ports that may be called; absent: 1 to 65535. */
  readonly ports?: readonly number[];
  /** PEM file of certificate authorities to trust beside the public ones. */
  readonly caFile?: string | null | undefined;
  /**
   * Absent or null: none. The proxy resolves the names of what goes through it: of the checks, only those of the URL
   * itself remain here.
   */
  readonly proxy?: ProxySettings | null;
  /** Milliseconds on any scale, to measure durations. */
  readonly clock?: () => number;
  /** Name resolution, for tests. */
  readonly lookup?: Lookup;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** A streamed one is sent once, as with `once`. */
  readonly body?: Buffer | StreamedBody;
  /** For the whole request: name resolution, connection, sending, the whole response. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** `fail` (default): TOO LARGE is a failure. `cut`: the response counts and its body is cut. */
  readonly whenTooLarge?: 'fail' | 'cut';
  readonly signal?: AbortSignal;
  /**
   * True: on a connection of its own, and sent once. Otherwise a request on a kept-alive connection that the other side
   * just closed is resent, although the other side may have processed it.
   */
  readonly once?: boolean;
}

export interface OutboundResponse {
  /** Any status, redirects too: they are never followed. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most `maxResponseBytes` of the received body, not decompressed. */
  readonly bodyPrefix: Buffer;
  readonly durationMs: number;
}

export interface OutboundHttp {
  /**
   * One request. The host is resolved once, every address it has must be allowed, and only those are connected to;
   * with a proxy, the proxy resolves it.
   * Rejects with OutboundFailure; with VALIDATION or ADDRESS_REFUSED (Failure) when the URL itself is not acceptable.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * Opens a WebSocket under the same rules: ws as plain http, wss as https, no redirect, no compression. Rejects as
   * `request` does.
   */
  connectSocket(request: OutboundSocketRequest): Promise<OutboundSocket>;
  /** The checks that need no name resolution, for when a URL is stored. Throws VALIDATION or ADDRESS_REFUSED. */
  checkUrl(url: string, kind?: UrlKind): void;
  /** Agents for a client library that sends its own requests, under the same rules; the caller destroys them. */
  agents(): GuardedAgents;
  /** Closes kept-alive connections. */
  close(): void;
}

export type UrlCheckOptions = Pick<OutboundHttpOptions, 'allow' | 'requireHttps' | 'ports'>;

const idleConnectionMs = 5_000;
const idleConnections = 64;

/**
 * The only client for addresses that customers give. Proxies from the environment are not used, only the given one.
 * Throws on an invalid rule.
 */
export function createOutboundHttp(options: OutboundHttpOptions): OutboundHttp {
  const rules = rulesOf(options);
  const { allow } = rules;
  const clock = options.clock ?? (() => performance.now());
  const trust = trustOf(options.caFile);
  const proxy = proxyOptions(options.proxy ?? null);
  const agents = createAgents(trust, proxy);
  const run = async (request: OutboundRequest): Promise<OutboundResponse> => {
    const target = checkUrl(request.url, rules);
    const startedAt = clock();
    const deadline = performance.now() + request.timeoutMs;
    const plan = (fresh: boolean): ExchangePlan => ({
      target,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())),
      maxResponseBytes: request.maxResponseBytes,
      whenTooLarge: request.whenTooLarge ?? 'fail',
      signal: request.signal,
      agent: agents.pick(target.secure, fresh),
      lookup: guardedLookup(target, allow, options.lookup, request.timeoutMs),
    });
    const response = await exchange(
      plan(request.once === true || (request.body !== undefined && 'stream' in request.body)),
    ).catch((error: unknown) => {
      if (error instanceof StaleConnection) return exchange(plan(true));
      throw error;
    });
    const { status, headers, body } = response;
    return { status, headers, bodyPrefix: body, durationMs: Math.round(clock() - startedAt) };
  };
  const connectSocket = async (request: OutboundSocketRequest): Promise<OutboundSocket> => {
    const target = checkUrl(request.url, rules, 'socket');
    const lookup = guardedLookup(target, allow, options.lookup, request.timeoutMs);
    return await dialSocket({ ...request, target, lookup, agent: agents.pick(target.secure, true) });
  };
  return {
    request: run,
    connectSocket,
    checkUrl: (url, kind) => void checkUrl(url, rules, kind),
    agents: () => createGuardedAgents({ rules, trust, proxy, lookup: options.lookup }),
    close: agents.close,
  };
}

/**
 * The checks of `checkUrl` alone, for a service that stores an address and never calls it. Throws on an invalid rule.
 */
export function createUrlCheck(options: UrlCheckOptions): OutboundHttp['checkUrl'] {
  const rules = rulesOf(options);
  return (url, kind) => void checkUrl(url, rules, kind);
}

function rulesOf(options: UrlCheckOptions): UrlRules {
  const { allow, requireHttps, ports } = options;
  return { allow: readAllowList(allow), requireHttps, ports: ports === undefined ? null : new Set(ports) };
}

function trustOf(caFile: OutboundHttpOptions['caFile']): TrustOptions {
  const ca = caFile == null ? {} : { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] };
  return { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...ca };
}

function createAgents(trust: TrustOptions, proxy: ProxyOptions) {
  const keep = { keepAlive: true, maxFreeSockets: idleConnections, ...proxy, timeout: idleConnectionMs };
  const kept = { plain: new PlainAgent(keep), secure: new SecureAgent({ ...keep, ...trust }) };
  const single = { plain: new PlainAgent(proxy), secure: new SecureAgent({ ...trust, ...proxy }) };
  return {
    pick: (secure: boolean, fresh: boolean): PlainAgent => (fresh ? single : kept)[secure ? 'secure' : 'plain'],
    close: () => [kept.plain, kept.secure, single.plain, single.secure].forEach((agent) => agent.destroy()),
  };
}
