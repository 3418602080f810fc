import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), {
  folder: process.cwd(),
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
});
