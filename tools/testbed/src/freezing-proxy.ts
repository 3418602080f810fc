import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A TCP proxy on loopback in front of a server that can make it unresponsive. */
export interface FreezingProxy {
  /** The target's address, through the proxy. */
  readonly url: string;
  /** Nothing passes and nothing closes, new connections included, until `thaw`; nothing is lost. */
  freeze(): void;
  /** Closes every connection, and each new one until `thaw`: pending operations have an unknown outcome. */
  sever(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startFreezingProxy(target: string): Promise<FreezingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let frozen = false;
  let severed = false;
  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (frozen) from.pause();
  };
  const gate = createServer((near) => {
    if (severed) {
      near.on('error', () => undefined).destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    forward(near, far);
    forward(far, near);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const url = new URL(target);
  url.port = String((gate.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    sever: () => {
      severed = true;
      for (const socket of sockets) socket.destroy();
    },
    thaw: () => {
      frozen = false;
      severed = false;
      for (const socket of sockets) socket.resume();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      gate.close();
      await once(gate, 'close');
    },
  };
}
