import { parseArgs } from 'node:util';
import { fuzz } from './run/fuzz.ts';
import { reportLines } from './run/report.ts';
import { startServiceStack } from './stack/service-stack.ts';

const usage = `npm run api-fuzz -- [options]

  --seed N           decides every request              (default: the clock)
  --requests N       how many                           (default 20000)
  --workers N        customers at the same time         (default 8)
  --only W:STEP      worker W alone, up to that step    (as a failure says it)
`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

function options() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      requests: { type: 'string', default: '20000' },
      workers: { type: 'string', default: '8' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(usage);
    process.exit(0);
  }
  const [seed, requests, workers] = [values.seed, values.requests, values.workers].map(Number);
  const [onlyWorker, step] = values.only?.split(':').map(Number) ?? [];
  if (![seed, requests, workers].every(Number.isInteger)) throw new Error(usage);
  return {
    seed: seed ?? 0,
    workers: workers ?? 8,
    requests: step === undefined ? (requests ?? 20_000) : step * (workers ?? 8),
    ...(onlyWorker === undefined ? {} : { onlyWorker }),
  };
}

const chosen = options();
say(`seed ${chosen.seed}`);
const stack = await startServiceStack({ gateways: 1, publicApi: true, say });
const report = await fuzz(stack, chosen).finally(() => stack.stop());
for (const line of reportLines(report, chosen.seed)) say(line);
process.exit(report.failures.length + report.problems.length === 0 ? 0 : 1);
