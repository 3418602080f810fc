import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A customer's receiver: knows the messages that it got, and how often. */
export interface WebhookReceiver {
  readonly url: string;
  /** Requests by message id. */
  readonly received: Map<string, number>;
  /** Body of the last request. */
  lastBody(): string;
  close(): void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received = new Map<string, number>();
  let last = Buffer.alloc(0);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = String(request.headers['webhook-id'] ?? '');
      received.set(id, (received.get(id) ?? 0) + 1);
      last = Buffer.concat(chunks);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    lastBody: () => last.toString('utf8'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
