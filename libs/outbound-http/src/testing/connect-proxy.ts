import { once } from 'node:events';
import { createServer, request as requestPlain } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A small HTTP proxy on this machine. Whatever host a client names, it connects to that port of 127.0.0.1. */
export interface ConnectProxy {
  readonly url: string;
  /** `CONNECT host:port` and `GET http://host:port/path`, in order. */
  readonly requests: string[];
  /** The status of its next responses to CONNECT; 0: it does not respond. */
  answer: number;
  close(): Promise<void>;
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    forward(request, response);
  });
  const proxy = { requests, answer: 200, url: '', close: () => Promise.resolve() };
  const follow = (socket: Duplex): Duplex => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    return socket.on('error', () => undefined);
  };
  server.on('connection', follow);
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    requests.push(`CONNECT ${request.url}`);
    if (proxy.answer === 0) return;
    if (proxy.answer !== 200) return void client.end(`HTTP/1.1 ${proxy.answer} Refused\r\n\r\n`);
    const port = Number(/:(\d+)$/.exec(request.url ?? '')?.[1]);
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    follow(upstream).on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { port, pathname, search } = new URL(request.url ?? '');
  const { method, headers } = request;
  const options = { host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers };
  const upstream = requestPlain(options, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
}
