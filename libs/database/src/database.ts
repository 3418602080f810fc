import { createHash } from 'node:crypto';
import { retry, startRetry } from '@rapporteur/async';
import { fail } from '@rapporteur/failures';
import pg from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import type { EntitySchema, MigrationInterface, QueryRunner } from 'typeorm';
import { assertOwnSessions, assertSession, readDatabaseAddress, sessionFactsSql } from './address.ts';
import type { SessionFacts } from './address.ts';
import { clientOfUsableServer, connectTimeoutMs, keepAliveSettings, lostServerCodes } from './client.ts';

/** Executes SQL: the database itself, or one open transaction. */
export interface Executor {
  /**
   * Runs one statement with `$1` parameters and returns its rows, for `returning` clauses too. Throws UNAVAILABLE when
   * PostgreSQL is unreachable, else TypeORM's QueryFailedError with PostgreSQL's code.
   */
  query<T = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
}

export interface Database extends Executor {
  /** TypeORM's data source, for repositories and query builders. */
  readonly source: DataSource;
  /** Commits when `work` resolves, rolls back when it throws. Isolation is READ COMMITTED. */
  transaction<T>(work: (transaction: Executor) => Promise<T>): Promise<T>;
  /** One cheap round trip; throws when PostgreSQL does not respond, or would refuse to write. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** The schema this service owns; created when missing and first in the search path of every connection. */
  readonly schema: string;
  readonly entities: readonly EntitySchema[];
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** SQL that creates or replaces functions; run after the migrations whenever its text has changed. */
  readonly functions?: string;
  readonly applicationName: string;
  /** Connections at most; default 10. */
  readonly poolSize?: number;
  /** No statement may run longer; default 30 000. */
  readonly statementTimeoutMs?: number;
  /**
   * When PostgreSQL sends nothing for this long after its own statement timeout, the connection is dropped and the
   * statement is UNAVAILABLE; default 5 000.
   */
  readonly idleGraceMs?: number;
}

const defaultStatementTimeoutMs = 30_000;
const migrationTimeoutMs = 120_000;
const defaultIdleGraceMs = 5_000;
/**
 * How long a request waits for a connection of the pool while all are used. PostgreSQL is reachable then: on a busy machine
 * a request is late rather than refused. Less than the 15 s after which api-gateway gives a request up.
 */
const poolWaitMs = 10_000;

/**
 * Waits up to 20 s for a PostgreSQL that is unreachable, opens the pool, creates the schema and runs missing
 * migrations, one service instance at a time. Refuses to start on a schema with migrations that this build does not
 * have: a newer build migrated it.
 */
export async function openDatabase(given: DatabaseOptions): Promise<Database> {
  const options = { ...given, url: readDatabaseAddress(given.url) };
  if (!/^[a-z_]+$/.test(options.schema)) throw new Error(`Schema name ${options.schema} must be lowercase letters.`);
  await migrateUnderLock(options);
  const source = newDataSource(options, options.poolSize ?? 10);
  await source.initialize();
  return wrap(source);
}

function newDataSource(options: DatabaseOptions, poolSize: number): DataSource {
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  return new DataSource({
    type: 'postgres',
    // TypeORM loads it by a computed name otherwise, which a packed service does not find.
    driver: pg,
    url: options.url,
    schema: options.schema,
    entities: [...options.entities],
    migrations: [...options.migrations],
    migrationsTableName: 'migrations',
    applicationName: options.applicationName,
    poolSize,
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    connectTimeoutMS: poolWaitMs,
    extra: {
      // Not as startup parameters, which poolers drop.
      onConnect: (client: pg.Client) => client.query(sessionSql(options.schema, statementTimeoutMs)),
      idleTimeoutMillis: 30_000,
      // A connection that only reads gets no error from a server that is no longer the primary.
      maxLifetimeSeconds: 600,
      ...keepAliveSettings,
      Client: clientOfUsableServer(idleTimeoutMs(options, statementTimeoutMs)),
    },
  });
}

function sessionSql(schema: string, statementTimeoutMs: number): string {
  return `set search_path = ${schema}; set statement_timeout = ${statementTimeoutMs}; set jit = off;
    set default_transaction_isolation = 'read committed'`;
}

function idleTimeoutMs(options: DatabaseOptions, statementTimeoutMs: number): number {
  return statementTimeoutMs + (options.idleGraceMs ?? defaultIdleGraceMs);
}

async function migrateUnderLock(options: DatabaseOptions): Promise<void> {
  const Client = clientOfUsableServer(idleTimeoutMs(options, migrationTimeoutMs));
  const connect = async () => {
    const connecting = new Client({
      connectionString: options.url,
      connectionTimeoutMillis: connectTimeoutMs,
      ...keepAliveSettings,
    });
    // An error of the connection is thrown by the statement in progress or the next one; without a listener it would
    // end the process.
    connecting.on('error', () => undefined);
    await connecting.connect();
    return connecting;
  };
  const client = await retry(connect, {
    ...startRetry,
    requestedMsOf: (error) => (isAway(error) ? 0 : null),
  });
  try {
    await refuseSharedSessions(client, connect);
    await client.query(`set statement_timeout = ${migrationTimeoutMs}`);
    await client.query('select pg_advisory_lock(hashtext($1))', [`rapporteur.migrations.${options.schema}`]);
    await client.query(`create schema if not exists ${options.schema}`);
    const source = newDataSource({ ...options, statementTimeoutMs: migrationTimeoutMs }, 2);
    await source.initialize();
    try {
      const [facts] = (await source.query(sessionFactsSql)) as SessionFacts[];
      if (facts !== undefined) assertSession(facts, options.schema);
      await refuseUnknownMigrations(source, options);
      await source.runMigrations({ transaction: 'each' });
      if (options.functions !== undefined) await applyFunctions(source, options.functions);
    } finally {
      await source.destroy();
    }
  } finally {
    await client.end();
  }
}

async function refuseSharedSessions(client: pg.Client, connect: () => Promise<pg.Client>): Promise<void> {
  const pidOf = async (connection: pg.Client) =>
    (await connection.query<Pick<SessionFacts, 'pid'>>('select pg_backend_pid() as pid')).rows[0] ?? { pid: 0 };
  const first = await pidOf(client);
  const other = await connect();
  try {
    assertOwnSessions(first, await pidOf(other));
  } finally {
    await other.end();
  }
}

async function applyFunctions(source: DataSource, functions: string): Promise<void> {
  const sha256 = createHash('sha256').update(functions).digest('hex');
  await source.transaction(async (transaction) => {
    await transaction.query('create table if not exists applied_functions (sha256 text primary key)');
    const applied: unknown[] = await transaction.query('select from applied_functions where sha256 = $1', [sha256]);
    if (applied.length > 0) return;
    await transaction.query(functions);
    await transaction.query('delete from applied_functions');
    await transaction.query('insert into applied_functions values ($1)', [sha256]);
  });
}

async function refuseUnknownMigrations(source: DataSource, options: DatabaseOptions): Promise<void> {
  const [found] = (await source.query('select to_regclass($1) is not null as present', [
    `${options.schema}.migrations`,
  ])) as { present: boolean }[];
  if (found?.present !== true) return;
  const rows = (await source.query(`select name from ${options.schema}.migrations`)) as { name: string }[];
  const known = new Set(source.migrations.map((migration) => migration.name));
  const unknown = rows.map((row) => row.name).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `The schema ${options.schema} was migrated by a newer build (${unknown.join(', ')}). Start that build, or restore a backup.`,
    );
  }
}

/** TypeORM returns `[rows, count]` for `update … returning` and rows for `select`; callers always get rows. */
function rowsOf<T>(response: unknown): T[] {
  if (!Array.isArray(response)) return [];
  if (response.length === 2 && Array.isArray(response[0]) && typeof response[1] === 'number') return response[0] as T[];
  return response as T[];
}

function executorOf(runner: { query(sql: string, parameters?: unknown[]): Promise<unknown> }): Executor {
  return {
    query: async <T>(sql: string, parameters: readonly unknown[] = []) => {
      try {
        return rowsOf<T>(await runner.query(sql, [...parameters]));
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}

/** Codes of the socket. */
const awayCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;
const awayMessages =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|connection timeout|server closed the connection/i;

function isAway(error: unknown): boolean {
  const { code } = ((error as { driverError?: unknown }).driverError ?? error) as { code?: string };
  return (
    awayCodes.test(code ?? '') ||
    lostServerCodes.test(code ?? '') ||
    (error instanceof Error && awayMessages.test(error.message))
  );
}

/** An unreachable server is UNAVAILABLE; every other error is unchanged. */
function asUnavailable(error: unknown): unknown {
  return isAway(error) ? fail('UNAVAILABLE', { cause: error }) : error;
}

const listenersOf = new WeakMap<Executor, (() => void)[]>();

/**
 * Calls the listener once the transaction of this executor has committed, and never when it rolls back; at once without
 * a transaction. Its errors are ignored: the work is committed.
 */
export function afterCommit(executor: Executor, listener: () => void): void {
  const listeners = listenersOf.get(executor);
  if (listeners === undefined) listener();
  else listeners.push(listener);
}

function callAll(listeners: readonly (() => void)[]): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch {
      // The error has no caller left that could handle it.
    }
  }
}

function wrap(source: DataSource): Database {
  let closing: Promise<void> | undefined;
  return {
    source,
    ...executorOf(source),
    transaction: async (work) => {
      const runner = source.createQueryRunner();
      try {
        await runner.startTransaction().catch((error: unknown) => {
          throw asUnavailable(error);
        });
        const transaction = executorOf(runner);
        const listeners: (() => void)[] = [];
        listenersOf.set(transaction, listeners);
        const result = await work(transaction);
        await runner.commitTransaction().catch((error: unknown) => {
          throw asUnavailable(error);
        });
        callAll(listeners);
        return result;
      } catch (error) {
        await rollbackQuietly(runner);
        throw error;
      } finally {
        await runner.release();
      }
    },
    ping: async () => {
      await source.query(pingSql);
    },
    close: () => (closing ??= source.destroy()),
  };
}

/** Fails with the code of a refused write, so that the connection is dropped as after one. */
const pingSql = `do $$ begin
  if current_setting('transaction_read_only')::boolean then
    raise read_only_sql_transaction using message = 'The server takes no writes.';
  end if;
end $$`;

/** A broken connection cannot roll back; the original error is thrown. */
async function rollbackQuietly(runner: QueryRunner): Promise<void> {
  if (!runner.isTransactionActive) return;
  await runner.rollbackTransaction().catch(() => undefined);
}

/** True when PostgreSQL refused a row because of a unique key (optionally this one). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const driverError = error.driverError as { code?: string; constraint?: string };
  return driverError.code === '23505' && (constraint === undefined || driverError.constraint === constraint);
}

/**
 * True when PostgreSQL can never accept the values (SQLSTATE class 22): the same statement with them fails every time.
 */
export function isDataException(error: unknown): boolean {
  return error instanceof QueryFailedError && String((error.driverError as { code?: unknown }).code).startsWith('22');
}

/** True when PostgreSQL ended the transaction for the sake of another one: the same work may succeed if repeated. */
export function isSerializationFailure(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  return ['40001', '40P01'].includes(String((error.driverError as { code?: unknown }).code));
}
