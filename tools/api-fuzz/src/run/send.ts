import { Agent, request as openRequest } from 'node:http';
import type { ServiceResponse, PlannedRequest } from './request.ts';

const deadlineMs = 20_000;
const mostBytes = 8 * 1024 * 1024;

/** Sends requests over persistent connections, with unmodified paths. */
export class Sender {
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(url: string) {
    this.#base = new URL(url);
  }

  /** Rejects when no complete response arrived within 20 s. */
  send({
    method,
    target,
    headers,
    body,
  }: Pick<PlannedRequest, 'method' | 'target' | 'headers' | 'body'>): Promise<ServiceResponse> {
    const startedAt = performance.now();
    const length = body === null && method === 'GET' ? {} : { 'content-length': String(body?.byteLength ?? 0) };
    return new Promise((resolve, reject) => {
      const call = openRequest({
        agent: this.#agent,
        host: this.#base.hostname,
        port: this.#base.port,
        method,
        path: target,
        headers: { ...headers, ...length },
        signal: AbortSignal.timeout(deadlineMs),
      });
      call.once('error', reject);
      call.once('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.byteLength;
          if (size > mostBytes) return void call.destroy(new Error('The response is longer than 8 MiB.'));
          chunks.push(chunk);
        });
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: parsed(text),
            durationMs: performance.now() - startedAt,
          });
        });
      });
      call.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
