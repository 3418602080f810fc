import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ForwardedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Null: no body. */
  readonly body: unknown;
  /** The claims of the signed internal token. */
  readonly token: Readonly<Record<string, unknown>>;
}

export interface OwnerResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set to respond with content that is not JSON. */
  readonly text?: string;
  /** Set to wait before responding. */
  readonly after?: Promise<void>;
  /** Set to close the connection instead of responding. */
  readonly hangsUp?: boolean;
}

export interface StubOwner {
  readonly url: string;
  readonly calls: ForwardedCall[];
  response: OwnerResponse;
  /** Returned before `response`, one per call. */
  readonly nextResponses: OwnerResponse[];
  stop(): Promise<void>;
}

/**
 * A stub of a service that owns operations: records forwarded calls and returns the configured responses.
 * @param certificate with one for `localhost` the stub serves https only
 */
export async function startStubOwner(certificate?: {
  readonly key: string;
  readonly cert: string;
}): Promise<StubOwner> {
  const calls: ForwardedCall[] = [];
  const respondToCall: RequestListener = (request, response) => {
    if (request.url === '/health/live') return void response.end('{}');
    let text = '';
    request.on('data', (chunk: Buffer) => (text += String(chunk)));
    request.on('end', async () => {
      calls.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: text === '' ? null : JSON.parse(text),
        token: claimsOf(request.headers.authorization ?? ''),
      });
      const { status, body, headers, text: raw, after, hangsUp } = stub.nextResponses.shift() ?? stub.response;
      await after;
      if (hangsUp === true) return void request.socket.destroy();
      response.writeHead(status, {
        'content-type': raw === undefined ? 'application/json; charset=utf-8' : 'text/html',
        ...headers,
      });
      response.end(raw ?? JSON.stringify(body));
    });
  };
  // The same value as in the services.
  const keepAliveTimeout = 20_000;
  const server =
    certificate === undefined
      ? createServer({ keepAliveTimeout }, respondToCall)
      : createSecureServer({ ...certificate, keepAliveTimeout }, respondToCall);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = certificate === undefined ? 'http://127.0.0.1' : 'https://localhost';
  const stub: StubOwner = {
    url: `${origin}:${(server.address() as AddressInfo).port}`,
    calls,
    response: { status: 200, body: { success: true, data: {} } },
    nextResponses: [],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stub;
}

function claimsOf(authorization: string): Record<string, unknown> {
  const claims = authorization.split('.')[1] ?? '';
  return claims === '' ? {} : (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>);
}
