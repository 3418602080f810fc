import { parseArgs } from 'node:util';
import { runRaces } from './races/run-races.ts';
import { startServiceStack } from './stack/service-stack.ts';

// node tools/api-fuzz/src/races.ts --rounds 100
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } });
const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** A long run reports its progress. */
const reportedEach = 10;
const seen = new Map<string, { rounds: number; problems: string[]; last: string }>();

const stack = await startServiceStack({ gateways: 2, say });
await runRaces(stack, {
  rounds: Number(values.rounds),
  onResult: ({ race, seen: last, problems }) => {
    const sum = seen.get(race) ?? { rounds: 0, problems: [], last };
    seen.set(race, { rounds: sum.rounds + 1, problems: [...sum.problems, ...problems], last });
    for (const problem of problems) say(`${race}: ${problem}`);
    const sums = [...seen.values()];
    const whole = Math.min(...sums.map((each) => each.rounds));
    if (whole % reportedEach === 0 && sums.every((each) => each.rounds === whole)) say(`${whole} rounds of each`);
  },
}).finally(() => stack.stop());
for (const [race, { rounds, problems, last }] of seen)
  say(`${race.padEnd(20)} ${rounds} rounds, ${problems.length} problems, last: ${last}`);
process.exit([...seen.values()].every(({ problems }) => problems.length === 0) ? 0 : 1);
