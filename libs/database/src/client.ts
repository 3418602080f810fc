import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';

/** Short, so that a caller gets UNAVAILABLE within three seconds when PostgreSQL is unreachable. */
export const connectTimeoutMs = 2_500;

/** TCP keepalive detects a dead idle connection within some ten seconds after this delay. */
export const keepAliveSettings = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

/**
 * SQLSTATE codes of a server that cannot do its work now, through this connection: read-only after a failover, idle in
 * a transaction or transaction too long, and the classes connection, resources, operator intervention and system
 * error. A cancelled statement (57014) leaves its connection usable.
 */
export const lostServerCodes = /^(25006|25P03|25P04|08...|53...|57P..|58...)$/;

const preparedNames = new Map<string, string>();

/**
 * The same text of a statement, which each connection lets PostgreSQL parse and plan once. For constants of the program
 * that run many times a second.
 */
export function prepared(sql: string): string {
  preparedNames.set(sql, createHash('sha256').update(sql).digest('hex').slice(0, 32));
  return sql;
}

/**
 * Clients that drop their connection after an error of `lostServerCodes`: another connection may lead to another
 * server. They also drop it when PostgreSQL sends nothing for `limitMs` during a statement. A network that
 * drops all packets closes no connection, and TCP would retransmit for a quarter of an hour. Without a statement in
 * progress a connection may be idle: open transactions wait for other things than PostgreSQL.
 */
export function clientOfUsableServer(limitMs: number): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(withConnectTimeout(config));
      limitIdleTime(this, limitMs);
      dropLostServer(this);
    }
  };
}

/** node-postgres takes the time for which a request waits for a connection of the pool for that of connecting, too. */
function withConnectTimeout(config: string | pg.ClientConfig | undefined): string | pg.ClientConfig | undefined {
  if (typeof config !== 'object') return config;
  // With the password, which the pool hides from enumeration.
  const given = Object.getOwnPropertyDescriptors(config);
  return Object.defineProperties(
    {},
    { ...given, connectionTimeoutMillis: { value: connectTimeoutMs, enumerable: true } },
  );
}

function limitIdleTime(client: pg.Client, limitMs: number): void {
  // Under TLS the connection gets another stream later; its traffic still counts for the socket below.
  const socket = client.connection.stream as Socket;
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  client.query = ((text: unknown, ...parameters: unknown[]) => {
    socket.setTimeout(limitMs);
    const name = preparedNames.get(text as string);
    return query(name === undefined ? text : { name, text }, ...parameters);
  }) as typeof client.query;
  client.on('drain', () => socket.setTimeout(0));
  socket.on('timeout', () => socket.destroy(idleTimeoutError(limitMs)));
}

/** The statement in progress gets PostgreSQL's error first, because the stream reports its end later. */
function dropLostServer({ connection }: pg.Client): void {
  connection.on('errorMessage', ({ code, message }: { readonly code?: string; readonly message: string }) => {
    if (lostServerCodes.test(code ?? '')) (connection.stream as Socket).destroy(new Error(message));
  });
}

function idleTimeoutError(limitMs: number): Error {
  const message = `PostgreSQL sent nothing for ${limitMs} ms during a statement; the connection was closed.`;
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
