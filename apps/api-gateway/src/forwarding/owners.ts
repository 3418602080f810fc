import { Agent, request as startRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as startSecureRequest } from 'node:https';
import type { OperationOwner } from '@rapporteur/contracts/public-api';
import { fail, Failure } from '@rapporteur/failures';
import type { InternalAuth, Permission } from '@rapporteur/service-runtime';

/** A service that the gateway forwards to. */
export type ForwardedOwner = Exclude<OperationOwner, 'api-gateway'>;

export interface OwnersOptions {
  readonly auth: InternalAuth;
  /** Base address of every owning service: http or https, without a trailing slash. */
  readonly addresses: Readonly<Record<ForwardedOwner, string>>;
  /** Response timeout of an owner that is alive; default 15 000. */
  readonly responseMs?: number | undefined;
}

/** One call of an owner's internal route. */
export interface OwnerCall {
  readonly owner: ForwardedOwner;
  readonly method: string;
  /** The path below `/internal`, with its query. */
  readonly path: string;
  /** Absent: no body. */
  readonly body?: unknown;
  /** Absent: the request has no team. */
  readonly teamId?: string;
  readonly permission?: Permission;
  readonly keyId?: string;
  readonly requestId: string;
  /** Only for a request that carries an Idempotency-Key. */
  readonly keyed?: KeyedCall | undefined;
}

export interface KeyedCall {
  /** The same for every attempt of one request, so that an owner can detect repeats. */
  readonly idempotencyId: string;
  /** Called when the caller is to get its response now. The call continues, because the owner may have begun. */
  readonly onSlow: () => void;
  /** Called when no response arrived although the owner may have received the request: the outcome is unknown. */
  readonly onUnknownOutcome: () => void;
}

export interface OwnerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The owner's JSON, unchanged. */
  readonly text: string;
}

export interface Owners {
  /**
   * UNAVAILABLE within 3 s when the owner is down, and after 15 s without a response; after 150 s for a keyed call.
   * Throws an INTERNAL error when the response is not JSON.
   */
  sendRequest(call: OwnerCall): Promise<OwnerResponse>;
  /** Closes idle connections. */
  close(): void;
}

/** After this long without a response the owner is probed. */
const idleMs = 1_200;
const probeMs = 700;
/** One probe that a busy owner misses does not count it as stopped. */
const probes = 2;
const slices = 10;
/** Sent with UNAVAILABLE, in seconds. */
const retryAfterSeconds = 2;
/** Response timeout of an owner that is alive: longer than any of them waits for a bot. */
const usualResponseMs = 15_000;
/**
 * Response timeout of a keyed call. It exceeds the caller's timeout, so that a repeat does not run the request
 * concurrently.
 */
const keyedResponseMs = 150_000;
const responseLimitBytes = 16 * 1024 * 1024;
const socketsPerOwner = 256;

/** Response headers of an owner that are passed to the caller. */
const passedHeaders = ['retry-after', 'location'] as const;

/** The HTTP client by the scheme of the owner's address. */
interface Route {
  readonly agent: Agent;
  readonly start: (options: RequestOptions) => ClientRequest;
}

const agentOptions = {
  keepAlive: true,
  maxSockets: socketsPerOwner,
  maxFreeSockets: 32,
  scheduling: 'lifo',
  // A request that is sent while its owner closes the idle connection is lost: a busy process detects the close late.
  agentKeepAliveTimeoutBuffer: 5_000,
} as const;

export function createOwners({ auth, addresses, responseMs = usualResponseMs }: OwnersOptions): Owners {
  const plain: Route = { agent: new Agent(agentOptions), start: startRequest };
  const secure: Route = { agent: new SecureAgent(agentOptions), start: startSecureRequest };
  const routeTo = (base: string): Route => (new URL(base).protocol === 'https:' ? secure : plain);
  const targetOf = (base: string) => ({ ...routeTo(base), place: placeOf(base) });
  const targets = new Map(Object.entries(addresses).map(([owner, address]) => [owner, targetOf(address)]));
  return {
    sendRequest: async (call) => {
      const { owner, body, keyed } = call;
      // A string is sent together with the headers, in one write.
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...(await auth.headersFor({
          audience: owner,
          ...(call.teamId === undefined ? {} : { teamId: call.teamId }),
          ...(call.permission === undefined ? {} : { permission: call.permission }),
          ...(call.keyId === undefined ? {} : { keyId: call.keyId }),
          requestId: call.requestId,
        })),
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
        ...(keyed === undefined ? {} : { 'x-idempotency-id': keyed.idempotencyId }),
      };
      const base = addresses[owner];
      const { place, agent, start } = targets.get(owner) ?? targetOf(base);
      const path = `${place.path}/internal${call.path}`;
      const request = start({ ...place, path, method: call.method, headers, agent });
      const reply = await exchange(request, payload, {
        isOwnerAlive: () => isAlive(base),
        responseMs,
        keyed,
      });
      // The owner refused the gateway's token: a misconfiguration of the deployment, not an error of the caller.
      if (reply.status === 401 && !isOwnersRefusal(reply.text))
        throw new Error(`${owner} refused the gateway's token.`);
      return reply;
    },
    close: () => {
      plain.agent.destroy();
      secure.agent.destroy();
    },
  };
}

/** A 401 with an error code is for the caller; any other concerns the gateway's token. */
function isOwnersRefusal(text: string): boolean {
  const { code } = JSON.parse(text) as { code?: string };
  return code !== undefined && code !== 'FST_ERR_INTERNAL_TOKEN';
}

function placeOf(address: string) {
  const { hostname, port, pathname } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port, path: pathname.replace(/\/$/, '') };
}

interface ExchangeOptions {
  readonly isOwnerAlive: () => Promise<boolean>;
  readonly responseMs: number;
  readonly keyed: KeyedCall | undefined;
}

function exchange(request: ClientRequest, payload: string | undefined, options: ExchangeOptions) {
  const { isOwnerAlive, responseMs, keyed } = options;
  return new Promise<OwnerResponse>((resolve, reject) => {
    const giveUp = (message?: string) =>
      void request.destroy(fail('UNAVAILABLE', { retryAfterSeconds, ...(message === undefined ? {} : { message }) }));
    const endWait = keyed?.onSlow ?? giveUp;
    const late = setTimeout(() => endWait(lateMessage(responseMs)), responseMs);
    const lostMs = Math.max(responseMs, keyedResponseMs);
    const lost = setTimeout(() => giveUp(lateMessage(lostMs)), lostMs);
    // A busy owner keeps its request; a stopped one does not delay the caller.
    const stopProbes = afterRunning(idleMs, async () => {
      for (let probe = 0; probe < probes; probe += 1) if (await isOwnerAlive()) return;
      endWait();
    });
    const settled = () => {
      for (const timer of [late, lost]) clearTimeout(timer);
      stopProbes();
    };
    let mayHaveArrived = false;
    request.once('socket', (socket) => {
      const connected = () => void (mayHaveArrived = true);
      if (socket.connecting) socket.once('connect', connected);
      else connected();
    });
    const lose = (error: unknown) => {
      settled();
      if (mayHaveArrived) keyed?.onUnknownOutcome();
      reject(error instanceof Error ? error : new Error('The owner was lost.', { cause: error }));
    };
    request.once('error', (error) =>
      lose(error instanceof Failure ? error : fail('UNAVAILABLE', { cause: error, retryAfterSeconds })),
    );
    request.once('response', (response) => {
      stopProbes();
      read(response).then(resolve, lose).finally(settled);
    });
    request.end(payload);
  });
}

function lateMessage(ms: number): string {
  return `A part of the service did not respond within ${Math.ceil(ms / 1_000)} s. It may have carried out the request; check its effect before you repeat it.`;
}

async function read(response: IncomingMessage): Promise<OwnerResponse> {
  const status = response.statusCode ?? 0;
  const type = response.headers['content-type'] ?? '';
  if (!type.startsWith('application/json')) {
    response.destroy();
    throw new Error(`An owner responded with ${status} with ${type === '' ? 'no content type' : type}.`);
  }
  const headers: Record<string, string> = {};
  for (const name of passedHeaders) {
    const value = response.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return { status, headers, text: await textOf(response) };
}

function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      length += chunk.byteLength;
      chunks.push(chunk);
      if (length > responseLimitBytes)
        response.destroy(new Error('The response of a service is larger than the limit.'));
    });
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.once('error', (error) => reject(fail('UNAVAILABLE', { cause: error, retryAfterSeconds })));
    response.once('close', () => {
      if (!response.complete)
        reject(fail('UNAVAILABLE', { cause: new Error('The response was cut off.'), retryAfterSeconds }));
    });
  });
}

async function isAlive(base: string): Promise<boolean> {
  const missed = new AbortController();
  const end = afterRunning(probeMs, () => missed.abort());
  try {
    const response = await fetch(`${base}/health/live`, { signal: missed.signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  } finally {
    end();
  }
}

/**
 * Calls back after `ms` in which this process ran: a stall of its own, in which it reads no response either, counts as
 * one slice.
 */
function afterRunning(ms: number, callBack: () => unknown): () => void {
  let left = slices;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    callBack();
  }, ms / slices);
  return () => clearInterval(timer);
}
