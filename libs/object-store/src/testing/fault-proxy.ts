import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * The fate of one request: it passes, at once or after a delay; gets this status at once; its connection breaks before
 * or in the middle of its body, or in the middle of the response; or it is held until `decide` is called again, and
 * passes then.
 */
export type Fate = 'pass' | 'slow' | 403 | 503 | 'gone' | 'cut-request' | 'cut-response' | 'hold';

/** A proxy to a server on loopback that injects faults on request. */
export interface FaultProxy {
  readonly url: string;
  /** Every received request, `METHOD /path?query`, in order. */
  readonly seen: readonly string[];
  /** Decides about each request from now on; `seenBefore` counts from this call on. */
  decide(fate: (request: { line: string; seenBefore: number }) => Fate): void;
  stop(): Promise<void>;
}

const cutAfterBytes = 64 * 1024;
const slowMs = 300;

/** With a certificate it is reached over https. */
export async function startFaultProxy(
  target: string,
  certificate?: { readonly key: string; readonly cert: string },
): Promise<FaultProxy> {
  const seen: string[] = [];
  let fateOf: (request: { line: string; seenBefore: number }) => Fate = () => 'pass';
  let since = 0;
  const held: (() => void)[] = [];
  const listener: RequestListener = (incoming, response) => {
    const line = `${incoming.method} ${incoming.url}`;
    const fate = fateOf({ line, seenBefore: seen.length - since });
    seen.push(line);
    if (typeof fate === 'number') {
      incoming.resume();
      response.writeHead(fate, { 'content-type': 'application/xml' }).end(errorBody(fate));
    } else if (fate === 'gone') incoming.socket.destroy();
    else if (fate === 'hold') held.push(() => forward({ target, incoming, response, fate }));
    else if (fate === 'slow') setTimeout(() => forward({ target, incoming, response, fate }), slowMs);
    else forward({ target, incoming, response, fate });
  };
  const server = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http${certificate === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    decide: (fate) => {
      fateOf = fate;
      since = seen.length;
      for (const release of held.splice(0)) release();
    },
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Forwarding {
  readonly target: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly fate: Fate;
}

/** Headers are forwarded unchanged, `Host` too: the signature of an S3 request covers it. */
function forward({ target, incoming, response, fate }: Forwarding): void {
  const { hostname, port } = new URL(target);
  const { method, url: path, headers } = incoming;
  const onward = send({ hostname, port, method, path, headers, agent: false });
  const giveUp = (): void => {
    onward.destroy();
    incoming.socket.destroy();
  };
  onward.on('error', giveUp);
  incoming.on('error', giveUp);
  onward.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.on('error', giveUp);
    if (fate === 'cut-response') cutIn(reply, giveUp);
    reply.pipe(response);
  });
  if (fate === 'cut-request') cutIn(incoming, giveUp);
  incoming.pipe(onward);
}

function cutIn(stream: IncomingMessage, cut: () => void): void {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes >= cutAfterBytes) cut();
  });
}

function errorBody(status: 403 | 503): string {
  const code = status === 403 ? 'AccessDenied' : 'SlowDown';
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>configured to fail</Message></Error>`;
}
