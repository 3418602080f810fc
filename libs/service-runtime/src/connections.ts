import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Socket } from 'node:net';

export interface ConnectionRules {
  readonly isStopping: () => boolean;
  /** After a response that did not wait for the whole body: how long its rest may take. */
  readonly restOfBodyMs: number;
}

export interface Connections {
  /**
   * Takes no new connection, ends those on which nothing is in progress, and each other one with its response; after
   * `drainMs` all that are left. Resolves when none is open.
   */
  drain(drainMs: number): Promise<void>;
}

/** Knows what is in progress on every connection of a server. Call it before the app listens to requests. */
export function followConnections(server: Server, { isStopping, restOfBodyMs }: ConnectionRules): Connections {
  const inProgress = new Map<Socket, Set<ServerResponse>>();
  let isDraining = false;

  server.on('connection', (socket) => {
    inProgress.set(socket, new Set());
    socket.once('close', () => inProgress.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    inProgress.get(socket)?.add(response);
    if (isStopping()) response.setHeader('connection', 'close');
    response.once('finish', () => endUnreadBody(request, restOfBodyMs));
    response.once('close', () => {
      const responses = inProgress.get(socket);
      responses?.delete(response);
      if (isDraining && responses?.size === 0) socket.destroySoon();
    });
  });

  return {
    drain: async (drainMs) => {
      isDraining = true;
      // The close of an HTTP server would also cut responses that are written but not yet taken.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const [socket, responses] of inProgress) {
        // Of requests that were sent without waiting for each other's responses, the last one says it.
        const last = [...responses].at(-1);
        if (last === undefined) socket.destroy();
        else if (!last.headersSent) last.setHeader('connection', 'close');
      }
      const timer = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Whoever never ends a body that nobody waits for would keep the connection for ever. */
function endUnreadBody(request: IncomingMessage, restOfBodyMs: number): void {
  if (request.complete) return;
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, restOfBodyMs).unref();
}
