import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createOutboundHttp, OutboundFailure } from '../index.ts';
import type { OutboundHttp, OutboundHttpOptions } from '../index.ts';

/** Servers on this machine, and clients that may reach them; `close` ends them all, with their connections. */
export class LoopbackHarness {
  readonly #opened: { close(): unknown }[] = [];
  readonly #sockets = new Set<Socket>();

  /** Gives the port. */
  async listening(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
    server.on('connection', (socket: Socket) => this.#sockets.add(socket));
    this.#opened.push(server);
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  client(options: Partial<OutboundHttpOptions> = {}): OutboundHttp {
    const made = createOutboundHttp({ allow: ['loopback'], requireHttps: false, ...options });
    this.#opened.push(made);
    return made;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const thing of this.#opened) thing.close();
  }
}

/** @throws Error when the work succeeds, or fails in another way */
export async function failureOf(work: Promise<unknown>): Promise<OutboundFailure> {
  const outcome = await work.then(
    () => 'an answer',
    (error: unknown) => error,
  );
  if (outcome instanceof OutboundFailure) return outcome;
  throw new Error(`It did not fail as expected: ${String(outcome)}`);
}
