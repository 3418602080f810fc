import { expect, test } from '@jest/globals';
import { assertNoDrift } from '@rapporteur/database';
import { createTestDatabase } from '@rapporteur/testbed';
import { openTranscriptSchema } from './open-schema.ts';

test('the entities describe exactly what the migrations make', async () => {
  const server = await createTestDatabase();
  const database = await openTranscriptSchema(server.url, 2);
  await expect(assertNoDrift(database)).resolves.toBeUndefined();
  await database.close();
  await server.drop();
});
