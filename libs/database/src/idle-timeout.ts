import type { Socket } from 'node:net';
import pg from 'pg';

/** TCP keepalive detects a dead idle connection within some ten seconds after this delay. */
export const keepAliveSettings = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

/**
 * Clients that drop their connection when PostgreSQL sends nothing for `limitMs` during a statement. A network that
 * drops all packets closes no connection, and TCP would retransmit for a quarter of an hour. Without a statement in
 * progress a connection may be idle: open transactions wait for other things than PostgreSQL.
 */
export function clientWithIdleTimeout(limitMs: number): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      limitIdleTime(this, limitMs);
    }
  };
}

function limitIdleTime(client: pg.Client, limitMs: number): void {
  // Under TLS the connection gets another stream later; its traffic still counts for the socket below.
  const socket = client.connection.stream as Socket;
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  client.query = ((...parameters: unknown[]) => {
    socket.setTimeout(limitMs);
    return query(...parameters);
  }) as typeof client.query;
  client.on('drain', () => socket.setTimeout(0));
  socket.on('timeout', () => socket.destroy(idleTimeoutError(limitMs)));
}

function idleTimeoutError(limitMs: number): Error {
  const message = `PostgreSQL said nothing for ${limitMs} ms although a statement was under way; its connection was given up.`;
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
