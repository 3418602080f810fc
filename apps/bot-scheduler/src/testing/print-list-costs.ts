// node apps/bot-scheduler/src/testing/print-list-costs.ts <postgres url of an empty database> [bots]
// Fills the database with bots of one team (a million take about four minutes) and prints what list pages cost, as JSON.
import { openBotsDatabase } from './test-scheduler.ts';
import { generateBots } from './generated-bots.ts';
import { measureLists } from './list-cost.ts';

const [url, bots = '1000000'] = process.argv.slice(2);
if (url === undefined) throw new Error('Give the address of an empty PostgreSQL database.');
const database = await openBotsDatabase(url);
try {
  const { teamId, count } = await generateBots(database, { count: Number(bots) });
  process.stdout.write(`${JSON.stringify({ bots: count, costs: await measureLists(database, teamId) }, null, 2)}\n`);
} finally {
  await database.close();
}
