import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** What the stub does with one request: a response, or a fault. */
export type Reply =
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | 'hang'
  | 'cut';

export interface StubService {
  readonly url: string;
  readonly received: Received[];
  /** Replies in this order; the last one is repeated. */
  replies: Reply[];
  stop(): Promise<void>;
}

/** A real HTTP server with the responses of a test. */
export async function startStubService(): Promise<StubService> {
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stub: StubService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    replies: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    stub.received.push({ method, path, headers, text: Buffer.concat(chunks).toString() });
    reply(response, stub.replies[Math.min(stub.received.length, stub.replies.length) - 1] ?? 'cut');
  }
  return stub;
}

function reply(response: ServerResponse, what: Reply): void {
  if (what === 'hang') return;
  if (what === 'cut') return void response.destroy();
  response.writeHead(what.status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...what.headers });
  response.end(typeof what.body === 'string' ? what.body : JSON.stringify(what.body));
}

export const responded = (body: Record<string, unknown>, status = 200): Reply => ({
  status,
  body: { success: true, ...body },
});

export function refused(status: number, code: string, more: Record<string, unknown> = {}): Reply {
  return {
    status,
    body: { success: false, error: 'No', code, statusCode: status, message: 'Not now.', details: null, ...more },
  };
}
