import pLimit from 'p-limit';
import type { Database } from './database.ts';

/**
 * The same database for background work: it uses at most `connections` of the pool at a time, and further statements wait for
 * one of those, not for the pool. Requests of clients find the rest of the pool free. Waits end because every statement does.
 * A transaction must not open another one here: it would wait for itself.
 */
export function limitConnections(database: Database, connections: number): Database {
  const limit = pLimit(connections);
  return {
    ...database,
    query: (sql, parameters) => limit(() => database.query(sql, parameters)),
    transaction: (work) => limit(() => database.transaction(work)),
  };
}
