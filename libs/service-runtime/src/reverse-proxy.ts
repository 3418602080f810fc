import { Agent, request as startRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as startSecureRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { fail } from '@rapporteur/failures';

export interface ProxyRequest {
  /** Base address of the other server, and path with query on it. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Largest request body. */
  readonly limitBytes: number;
}

export interface ReverseProxy {
  /**
   * Forwards the request and streams the response back. Throws UNAVAILABLE when the server is unreachable or sends no
   * headers within 60 s, BODY_TOO_LARGE for a longer body. Closes the connection when the response breaks off.
   */
  forward(request: Request, response: Response, target: ProxyRequest): Promise<void>;
  close(): void;
}

const headersMs = 60_000;
const agentOptions = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8 } as const;

/** Headers that belong to one connection (RFC 9110, section 7.6.1). */
const perConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function endToEndHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !perConnection.has(name) && !named.has(name)),
  ) as IncomingHttpHeaders;
}

export function createReverseProxy(): ReverseProxy {
  const plain = new Agent(agentOptions);
  const secure = new SecureAgent(agentOptions);
  return {
    forward: async (request, response, target) => {
      if (Number(request.headers['content-length'] ?? 0) > target.limitBytes) throw fail('BODY_TOO_LARGE');
      const isSecure = target.url.startsWith('https:');
      const start = isSecure ? startSecureRequest : startRequest;
      const outgoing = start(target.url, {
        method: request.method,
        headers: endToEndHeaders(target.headers),
        agent: isSecure ? secure : plain,
        signal: signalOf(response),
      });
      const incoming = new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve);
        outgoing.once('error', (error) => reject(fail('UNAVAILABLE', { cause: error })));
        outgoing.setTimeout(headersMs, () => outgoing.destroy(new Error(`No response within ${headersMs} ms.`)));
      });
      // Awaited below; a connection that fails while the body is sent is reported there.
      incoming.catch(() => undefined);
      await sendBody(request, outgoing, target.limitBytes);
      const reply = await incoming;
      response.status(reply.statusCode ?? 502);
      for (const [name, value] of Object.entries(endToEndHeaders(reply.headers))) {
        if (value !== undefined) response.setHeader(name, value);
      }
      await pipeline(reply, response).catch(() => void response.destroy());
    },
    close: () => {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Aborted when the client disconnects before its response is complete. */
function signalOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

async function sendBody(request: Request, outgoing: NodeJS.WritableStream, limitBytes: number): Promise<void> {
  let sent = 0;
  const limited = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      sent += chunk.byteLength;
      if (sent > limitBytes) throw fail('BODY_TOO_LARGE');
      yield chunk;
    }
  };
  try {
    await pipeline(limited, outgoing);
  } catch (error) {
    if (sent > limitBytes) throw error;
    // A server that responds early or is unreachable is reported by its response or its connection's error.
  }
}
