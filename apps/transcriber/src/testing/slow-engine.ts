import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowEngine {
  readonly url: string;
  /** Bytes of requests. */
  received: number;
  /** No connection can be opened until `open`. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Sends the transcript that is held back. */
  finish(): void;
  stop(): void;
}

/** A transcription server that reports each file as a quarter done until it is released. */
export async function startSlowEngine(): Promise<SlowEngine> {
  const held: ServerResponse[] = [];
  const respond = (response: ServerResponse, body: unknown): void =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (engine.received += chunk.byteLength));
    if (request.method === 'POST') held.push(response);
    else respond(response, { progress: 0.25 });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const engine: SlowEngine = {
    url: `http://127.0.0.1:${port}`,
    received: 0,
    close: async () => {
      const closed = once(server, 'close');
      engine.stop();
      await closed;
    },
    open: async () => void (await once(server.listen(port, '127.0.0.1'), 'listening')),
    finish: () => {
      for (const response of held.splice(0)) respond(response, { text: 'Hello.', language: 'en', duration: 1 });
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return engine;
}
