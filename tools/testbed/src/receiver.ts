import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Responds to the n-th call (from 1) to this receiver. */
export type ServiceResponse = (call: ReceivedCall, response: ServerResponse, count: number) => void;

/** A customer's receiver on loopback: records every call with its raw body. */
export interface Receiver {
  readonly url: string;
  readonly calls: ReceivedCall[];
  response(next: ServiceResponse): void;
  close(): Promise<void>;
}

export const ok: ServiceResponse = (_call, response) => void response.writeHead(200).end('ok');
export const status =
  (code: number, headers: Record<string, string> = {}): ServiceResponse =>
  (_call, response) =>
    void response.writeHead(code, headers).end(`status ${code}`);
export const hang: ServiceResponse = () => undefined;

export async function startReceiver(first: ServiceResponse = ok, host = '127.0.0.1'): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  let reply = first;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    calls.push(call);
    reply(call, response, calls.length);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    response: (next) => {
      reply = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
