import { Agent, request as startRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as startSecureRequest } from 'node:https';
import type { OperationOwner } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import type { InternalAuth, Permission } from '@rapporteur/service-runtime';

/** A service that the gateway forwards to. */
export type ForwardedOwner = Exclude<OperationOwner, 'api-gateway'>;

export interface OwnersOptions {
  readonly auth: InternalAuth;
  /** Base address of every service that owns operations: http or https, without a slash at its end. */
  readonly addresses: Readonly<Record<ForwardedOwner, string>>;
  /** How long a caller waits for an owner that lives; default 15 000. */
  readonly responseMs?: number | undefined;
}

/** One call of an owner's internal route. */
export interface OwnerCall {
  readonly owner: ForwardedOwner;
  readonly method: string;
  /** With query, as it stands behind `/internal`. */
  readonly path: string;
  /** Left out for none. */
  readonly body?: unknown;
  /** Left out for a request that no team's key came with. */
  readonly teamId?: string;
  readonly permission?: Permission;
  readonly keyId?: string;
  readonly requestId: string;
  /** Of a request that carries an Idempotency-Key. */
  readonly keyed?: KeyedCall | undefined;
}

export interface KeyedCall {
  /** The same for every try of one request, so that an owner may recognise it. */
  readonly idempotencyId: string;
  /** Called when the caller must not wait any longer; the call goes on, because the owner may have begun. */
  readonly onSlow: () => void;
  /** Called when no response came although the owner may have received the request: nobody knows whether it was done. */
  readonly onUnknownOutcome: () => void;
}

export interface OwnerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as the owner wrote it. */
  readonly text: string;
}

export interface Owners {
  /**
   * UNAVAILABLE within 3 s when the owner is not there, and after 15 s without a response; of a keyed call after 150 s. Throws what
   * is INTERNAL when its response is not JSON.
   */
  sendRequest(call: OwnerCall): Promise<OwnerResponse>;
  /** Closes what is kept open between calls. */
  close(): void;
}

/** After this long without a response the owner is asked whether it lives at all. */
const idleMs = 2_000;
const probeMs = 700;
/** A living owner gets this long for its whole response: longer than any of them waits for a bot. */
const usualResponseMs = 15_000;
/** The outcome of a keyed call is waited for so much longer than its caller waits: a repeat must not do it again meanwhile. */
const keyedResponseMs = 150_000;
const responseLimitBytes = 16 * 1024 * 1024;
const socketsPerOwner = 256;

/** The headers of an owner's response that are meant for the caller. */
const passedHeaders = ['retry-after', 'location'] as const;

/** How a call leaves, by the scheme of the owner's address. */
interface Route {
  readonly agent: Agent;
  readonly start: (options: RequestOptions) => ClientRequest;
}

const agentOptions = {
  keepAlive: true,
  maxSockets: socketsPerOwner,
  maxFreeSockets: 32,
  scheduling: 'lifo',
  // An owner that closes an idle connection while a request is on its way loses it: a busy process notices late.
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
      // A text goes out together with the headers, in one write.
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
      // The gateway's own token was refused: a fault of the deployment, not of the caller.
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

/** A 401 with a code of its own is meant for the caller; any other is about the gateway's token. */
function isOwnersRefusal(text: string): boolean {
  const { code } = JSON.parse(text) as { code?: string };
  return code !== undefined && code !== 'FST_ERR_INTERNAL_TOKEN';
}

function placeOf(address: string) {
  const { hostname, port, pathname } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port, path: pathname.replace(/\/$/, '') };
}

interface Patience {
  readonly isOwnerAlive: () => Promise<boolean>;
  readonly responseMs: number;
  readonly keyed: KeyedCall | undefined;
}

function exchange(request: ClientRequest, payload: string | undefined, patience: Patience) {
  const { isOwnerAlive, responseMs, keyed } = patience;
  return new Promise<OwnerResponse>((resolve, reject) => {
    const giveUp = (why: string) => void request.destroy(new Error(why));
    const endWait = keyed?.onSlow ?? giveUp;
    const late = setTimeout(() => endWait(`No response within ${responseMs} ms.`), responseMs);
    const lost = setTimeout(() => giveUp('No response came.'), Math.max(responseMs, keyedResponseMs));
    // Slow is not gone: a busy owner keeps its request, a stopped one does not hold the caller up.
    const silent = setTimeout(async () => {
      if (!(await isOwnerAlive())) endWait('The owner does not respond.');
    }, idleMs);
    const settled = () => {
      for (const timer of [late, lost, silent]) clearTimeout(timer);
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
    request.once('error', (error) => lose(fail('UNAVAILABLE', { cause: error })));
    request.once('response', (response) => {
      clearTimeout(silent);
      read(response).then(resolve, lose).finally(settled);
    });
    request.end(payload);
  });
}

async function read(response: IncomingMessage): Promise<OwnerResponse> {
  const status = response.statusCode ?? 0;
  const type = response.headers['content-type'] ?? '';
  if (!type.startsWith('application/json')) {
    response.destroy();
    throw new Error(`An owner answered ${status} with ${type === '' ? 'no content type' : type}.`);
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
      if (length > responseLimitBytes) response.destroy(new Error('An owner answered more than anybody can use.'));
    });
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.once('error', (error) => reject(fail('UNAVAILABLE', { cause: error })));
    response.once('close', () => {
      if (!response.complete) reject(fail('UNAVAILABLE', { cause: new Error('The response was cut off.') }));
    });
  });
}

async function isAlive(base: string): Promise<boolean> {
  try {
    const response = await fetch(`${base}/health/live`, { signal: AbortSignal.timeout(probeMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
