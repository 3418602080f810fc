import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { startReceiver } from '@rapporteur/testbed/receiver';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
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
  const stub = { received: [] as Received[], replies: [] as Reply[] };
  const { url, close } = await startReceiver(({ method, path, headers, body }, response) => {
    stub.received.push({ method, path, headers, text: String(body) });
    reply(response, stub.replies[Math.min(stub.received.length, stub.replies.length) - 1] ?? 'cut');
  });
  return Object.assign(stub, { url, stop: close });
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
