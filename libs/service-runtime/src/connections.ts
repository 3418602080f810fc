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
   * Accepts no new connection, closes idle ones, and each other one with its response; after `drainMs` all that are
   * left. Resolves when none is open.
   */
  drain(drainMs: number): Promise<void>;
}

/** Tracks the requests in progress on every connection of a server. Call it before the app listens to requests. */
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
      // `Server.close` of HTTP would also cut responses that are written but not yet read.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const [socket, responses] of inProgress) {
        // The last response of pipelined requests has the header.
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

/** Ends a connection whose unread body does not end in time. */
function endUnreadBody(request: IncomingMessage, restOfBodyMs: number): void {
  if (request.complete) return;
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, restOfBodyMs).unref();
}
