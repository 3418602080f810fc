import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpServer } from './server.ts';

export interface HttpOptions {
  /** Address of the API. */
  readonly baseUrl: string;
  readonly host: string;
  /** 0: any. */
  readonly port: number;
  readonly version: string;
}

export interface RunningHttp {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves `POST /mcp`, without sessions: every request has the API key of its user as `Authorization: Bearer rap_…`, and
 * the server stores none. At an address of this machine only requests to this machine's names are accepted.
 */
export async function serveHttp({ baseUrl, host, port, version }: HttpOptions): Promise<RunningHttp> {
  const app = createMcpExpressApp({ host });
  app.post('/mcp', async (request, response) => {
    const apiKey = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
    if (apiKey === undefined) {
      response.setHeader('www-authenticate', 'Bearer');
      return void response
        .status(401)
        .json(problem(-32_001, 'Send your Rapporteur API key as Authorization: Bearer rap_….'));
    }
    const server = createMcpServer({ baseUrl, apiKey }, version);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, request.body);
  });
  app.all('/mcp', (_request, response) => {
    response.status(405).json(problem(-32_000, 'This server has no sessions: use POST.'));
  });
  const listener = app.listen(port, host);
  await once(listener, 'listening');
  return {
    url: `http://${host}:${(listener.address() as AddressInfo).port}/mcp`,
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
}

function problem(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id: null };
}
