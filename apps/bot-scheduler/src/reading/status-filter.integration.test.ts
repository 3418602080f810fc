import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Database } from '@rapporteur/database';
import { generateBots } from '../testing/generated-bots.ts';
import { countingBotRows } from '../testing/row-counts.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { listBots } from './list-bots.ts';
import { listRequestOf } from './list-filters.ts';

/** A few months of a busy team: enough to distinguish an index scan from a sequential one. */
const ended = 20_000;

let database: Database;
let teamId: string;
useBotsDatabase(async (opened) => {
  database = opened;
  teamId = await addTeam(database);
  await generateBots(database, { teamId, count: ended });
});

test.each([
  ['none', 0],
  ['the oldest three', 3],
])('bots in progress are listed without reading those that ended: %s', async (_what, count) => {
  await database.query(
    `update bots set status = 'in_call_recording', phase = 'recording', ended_at = null where id in (
       select id from bots where team_id = $1 order by admitted_at limit $2)`,
    [teamId, count],
  );
  const counted = countingBotRows(database);
  const list = (ofTeam: string) =>
    counted.database.transaction((transaction) =>
      listBots(transaction, listRequestOf(ofTeam, { limit: 50, status: 'in_call_recording' }, Date.now())),
    );
  expect((await list(teamId)).bots).toHaveLength(count);
  expect(counted.rows()).toBeLessThan(200);
  expect((await list(randomUUID())).bots).toEqual([]);
});
