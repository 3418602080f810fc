import { join } from 'node:path';
import { runningStacks } from '@rapporteur/local-stack/running-stacks';
import { exitCodes, run } from './run.ts';

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());
process.once('SIGHUP', () => stopping.abort());
const complain = (text: string): void => void process.stderr.write(`${text}\n`);
try {
  process.exitCode = await run(process.argv.slice(2), {
    folder: process.cwd(),
    environment: process.env,
    runningStacks: runningStacks(join(import.meta.dirname, '../../..')),
    print: (text) => void process.stdout.write(`${text}\n`),
    complain,
    signal: stopping.signal,
  });
} catch (error) {
  complain(`The command failed. ${(error as Error).message}`);
  process.exitCode = exitCodes.failed;
}
