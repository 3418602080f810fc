import { banner, firstBotLines } from './banner.ts';
import { readOptions } from './options.ts';
import { rootOf, startStack } from './stack.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const root = rootOf(import.meta.dirname);

try {
  const options = readOptions(process.argv.slice(2), root);
  const startedAt = Date.now();
  say('Starting Rapporteur …');
  const stack = await startStack(options, { root, say });
  let stopping = false;
  const stop = async (why: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    say(`\nStopping (${why}): bots finish their recordings first …`);
    await stack.stop();
    say('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
  process.on('disconnect', () => void stop('the process that started it is gone'));
  say(banner(stack, Date.now() - startedAt));
  say(firstBotLines(stack));
} catch (error) {
  process.stderr.write(`\nRapporteur did not start. ${(error as Error).message}\n`);
  process.exit(1);
}
