import { Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { createProxyServer } from 'httpxy';
import readBody from 'raw-body';
import { withDeadline } from '@rapporteur/async';
import { fail } from '@rapporteur/failures';
import { bodyDeadlineMs } from './json-body.ts';

export interface ForwardTarget {
  /** Base address of the other server, and path with query on it. */
  readonly url: string;
  /** Request headers; those of the connection and of the body are set here. */
  readonly headers: IncomingHttpHeaders;
  /** Largest request body. */
  readonly limitBytes: number;
}

const headersMs = 60_000;
/** One connection for each request: no response can belong to the request of another caller. */
const proxy = createProxyServer({ agent: false, ignorePath: true, proxyTimeout: headersMs });

// Nothing is upgraded; Node closes such a connection without an error.
proxy.on('proxyReq', (outgoing) => {
  outgoing.once('upgrade', (_reply, socket) => {
    socket.destroy();
    outgoing.emit('error', new Error('The server responded with an upgrade.'));
  });
});
proxy.on('proxyRes', (reply, _request, response) => {
  reply.headers = endToEnd(reply.headers);
  reply.headers.connection = response.shouldKeepAlive && !response.hasHeader('connection') ? 'keep-alive' : 'close';
});

/** Headers of one connection and of the framing of its messages (RFC 9110, sections 7.6.1 and 10.1.1). */
const perConnection = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  named.delete('content-length');
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !perConnection.has(name) && !named.has(name)),
  ) as IncomingHttpHeaders;
}

const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Forwards a request to another server and streams the response back. The body is read first and sent with its length.
 * Throws VALIDATION for a body of GET, HEAD and OPTIONS, BODY_TOO_LARGE, REQUEST_TIMEOUT, and UNAVAILABLE when
 * the server is unreachable or sends nothing for 60 s. Closes the connection when the response breaks off.
 */
export async function forwardRequest(request: Request, response: Response, target: ForwardTarget): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const hasBody = coding !== undefined || Number(length ?? 0) > 0;
  const body = hasBody ? await readWhole(request, response, target.limitBytes) : Buffer.alloc(0);
  const { 'content-length': _, ...headers } = endToEnd(target.headers);
  // The proxy sends the headers of this object.
  request.headers =
    hasBody || length !== undefined ? { ...headers, 'content-length': String(body.byteLength) } : headers;
  try {
    await proxy.web(request, response, { target: target.url, buffer: Readable.from([body]) });
  } catch (error) {
    throw fail('UNAVAILABLE', { cause: error });
  }
}

async function readWhole(request: Request, response: Response, limit: number): Promise<Buffer> {
  try {
    if (withoutBody.has(request.method))
      throw fail('VALIDATION', { message: `A ${request.method} request has no body here.` });
    const reading = readBody(request, { limit, length: request.headers['content-length'] ?? null });
    return await withDeadline(reading, bodyDeadlineMs, () => fail('REQUEST_TIMEOUT'));
  } catch (error) {
    // The rest of the body is no request.
    response.setHeader('connection', 'close');
    throw error;
  }
}
