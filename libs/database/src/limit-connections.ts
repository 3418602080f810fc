import pLimit from 'p-limit';
import type { Database } from './database.ts';

/**
 * The same database for background work: it uses at most `connections` of the pool at a time; further statements wait
 * for one of those, not for the pool. The rest of the pool stays free for requests. Waits end because every statement
 * does. Nested transactions deadlock here.
 */
export function limitConnections(database: Database, connections: number): Database {
  const limit = pLimit(connections);
  return {
    ...database,
    query: (sql, parameters) => limit(() => database.query(sql, parameters)),
    transaction: (work) => limit(() => database.transaction(work)),
  };
}
