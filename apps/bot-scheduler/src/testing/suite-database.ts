import { afterAll, beforeAll } from '@jest/globals';
import type { Database } from '@rapporteur/database';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { openBotsDatabase } from './test-scheduler.ts';

/** Opens an empty database before the tests of a file, passes it to `onOpened`, and drops it after them. */
export function useBotsDatabase(onOpened: (database: Database) => void | Promise<void>): void {
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await createTestDatabase(openBotsDatabase);
    database = await openBotsDatabase(server.url);
    await onOpened(database);
  });
  afterAll(async () => {
    await database.close();
    await server.drop();
  });
}
