import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { LookupFunction } from 'node:net';
import { cancelled, closedEarly, failureFrom, timedOut, tooLarge } from './outbound-failure.ts';
import type { CheckedUrl } from './url-check.ts';

/** A body that is sent while it is read, so that memory does not depend on its length. */
export interface StreamedBody {
  /** What `stream` has, exactly. */
  readonly byteLength: number;
  /** Destroyed with the request. Its error is the failure of the request. */
  readonly stream: Readable;
}

export interface ExchangePlan {
  readonly target: CheckedUrl;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | StreamedBody | null;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly whenTooLarge: 'fail' | 'cut';
  readonly signal: AbortSignal | undefined;
  readonly agent: Agent;
  /** Resolves and checks the host; its failure becomes the exchange's failure. */
  readonly lookup: LookupFunction;
}

export interface ExchangeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The other side closed a kept-alive connection just when this request used it. */
export class StaleConnection extends Error {}

/**
 * One request on one connection. Rejects with OutboundFailure, or StaleConnection when a new connection may succeed.
 */
export function exchange(plan: ExchangePlan): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    let request: ClientRequest | undefined;
    let connected = false;
    const stream = plan.body !== null && 'stream' in plan.body ? plan.body.stream : null;
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      stream?.destroy();
      plan.signal?.removeEventListener('abort', cancel);
      finish();
    };
    const failWith = (error: unknown): void =>
      settle(() => {
        const stale = request?.reusedSocket === true && !connected && isReset(error);
        reject(stale ? new StaleConnection() : failureFrom(error, connected || request?.reusedSocket === true));
        request?.destroy();
      });
    const cancel = (): void => failWith(cancelled());
    const timer = setTimeout(() => failWith(timedOut(plan.timeoutMs)), plan.timeoutMs);
    if (plan.signal?.aborted === true) return cancel();
    plan.signal?.addEventListener('abort', cancel, { once: true });
    try {
      request = open(plan);
    } catch (error) {
      return failWith(error);
    }
    request.on('error', failWith);
    request.on('socket', (socket) => {
      // A reused connection does not emit its event again: listeners would accumulate.
      if (request?.reusedSocket === true) return;
      // Through a proxy the handshake is over before the request has the socket.
      if (plan.target.secure && (socket as TLSSocket).authorized) {
        connected = true;
        return;
      }
      const event = plan.target.secure ? 'secureConnect' : 'connect';
      socket.once(event, () => {
        connected = true;
      });
    });
    request.on('response', (response) => {
      connected = true;
      collect(response, plan).then((body) => {
        settle(() => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
        // A refusal that arrives while the body is being sent.
        if (request?.writableFinished === false) request.destroy();
      }, failWith);
    });
    if (plan.body === null || Buffer.isBuffer(plan.body)) return void request.end(plan.body ?? undefined);
    plan.body.stream.on('error', failWith).pipe(request);
  });
}

function isReset(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function open(plan: ExchangePlan): ClientRequest {
  const { url, host, port, secure } = plan.target;
  const hostHeader = `${isIP(host) === 6 ? `[${host}]` : host}${url.port === '' ? '' : `:${url.port}`}`;
  const options = {
    method: plan.method,
    host,
    port,
    path: `${url.pathname}${url.search}`,
    headers: { ...plan.headers, host: hostHeader, 'content-length': String(plan.body?.byteLength ?? 0) },
    agent: plan.agent,
    servername: isIP(host) === 0 ? host : '',
    lookup: plan.lookup,
    maxHeaderSize: 16_384,
    insecureHTTPParser: false,
  };
  return secure ? requestSecure(options) : requestPlain(options);
}

/** Reads the body up to the limit. A longer body ends the connection, so that reading is bounded. */
function collect(response: IncomingMessage, plan: ExchangePlan): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      chunks.push(chunk);
      if (bytes <= plan.maxResponseBytes) return;
      response.removeAllListeners('data');
      if (plan.whenTooLarge === 'fail') reject(tooLarge(plan.maxResponseBytes));
      else resolve(Buffer.concat(chunks).subarray(0, plan.maxResponseBytes));
      response.destroy();
    });
    response.on('end', () => resolve(Buffer.concat(chunks)));
    response.on('error', reject);
    response.on('close', () => reject(closedEarly('body cut')));
  });
}
