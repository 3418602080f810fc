import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowEngine {
  readonly url: string;
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
    request.resume();
    if (request.method === 'POST') held.push(response);
    else respond(response, { progress: 0.25 });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    finish: () => {
      for (const response of held.splice(0)) respond(response, { text: 'Hello.', language: 'en', duration: 1 });
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
