import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Epoch ms. */
  readonly atMs: number;
}

/** Responds to the n-th call (from 1) to this receiver. */
export type Respond = (call: ReceivedCall, response: ServerResponse, count: number) => unknown;

/** An HTTP server on loopback that keeps every call with its whole body. */
export interface Receiver {
  /** Without a path. */
  readonly url: string;
  readonly calls: ReceivedCall[];
  /** From the next call on. */
  response(next: Respond): void;
  /** Safe twice. */
  close(): Promise<void>;
}

export const ok: Respond = (_call, response) => void response.writeHead(200).end('ok');
export const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_call, response) =>
    void response.writeHead(code, headers).end(`status ${code}`);
export const hang: Respond = () => undefined;

/** A webhook receiver, or any other HTTP service of a test. A `first` that fails is a response with status 500. */
export async function startReceiver(first: Respond = ok, host = '127.0.0.1'): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  let respond = first;
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const call = { method, path, headers, body: Buffer.concat(chunks), atMs: Date.now() };
      await respond(call, response, calls.push(call));
    } catch (error) {
      // A request that was broken off needs no response.
      if (!response.headersSent) response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    response: (next) => {
      respond = next;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}
