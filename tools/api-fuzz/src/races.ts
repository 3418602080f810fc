import { parseArgs } from 'node:util';
import { runRaces } from './races/run-races.ts';

// node tools/api-fuzz/src/races.ts --rounds 100
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } });
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seen = new Map<string, { rounds: number; problems: string[]; last: string }>();

await runRaces({
  rounds: Number(values.rounds),
  say,
  onResult: ({ race, seen: last, problems }) => {
    const sum = seen.get(race) ?? { rounds: 0, problems: [], last };
    seen.set(race, { rounds: sum.rounds + 1, problems: [...sum.problems, ...problems], last });
    for (const problem of problems) say(`${race}: ${problem}`);
  },
});
for (const [race, { rounds, problems, last }] of seen)
  say(`${race.padEnd(20)} ${rounds} rounds, ${problems.length} problems, last: ${last}`);
process.exit([...seen.values()].every(({ problems }) => problems.length === 0) ? 0 : 1);
