import { fail } from '@rapporteur/failures';
import type { Database } from './database.ts';

const longestWaitMs = 60_000;

/**
 * The same database for background work: it uses at most `connections` of the pool at a time, and further statements wait for
 * one of those, not for the pool. Requests of clients find the rest of the pool free. Throws UNAVAILABLE after a minute's wait.
 * A transaction must not open another one here: it would wait for itself.
 */
export function limitConnections(database: Database, connections: number): Database {
  const waiting: (() => void)[] = [];
  let free = connections;
  const take = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(admit), 1);
        reject(fail('UNAVAILABLE', { cause: new Error('All connections for background work are in use.') }));
      }, longestWaitMs);
      waiting.push(admit);
    });
  };
  const give = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    await take();
    try {
      return await work();
    } finally {
      give();
    }
  };
  return {
    ...database,
    query: (sql, parameters) => within(() => database.query(sql, parameters)),
    transaction: (work) => within(() => database.transaction(work)),
  };
}
