import { banner, engineProblem, firstBotLines, followEngine } from './banner.ts';
import { buildDocsInBackground } from './docs-build.ts';
import { readOptions, usage } from './options.ts';
import { rootOf, startStack } from './stack.ts';
import type { RunningStack } from './stack.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const root = rootOf(import.meta.dirname);
const start = new AbortController();
let stack: RunningStack | undefined;
let stopping = false;
let endDocsBuild = (): void => undefined;
let endFollowing = (): void => undefined;

async function stop(why: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (stack === undefined) {
    say(`\nStopping (${why}) before everything runs …`);
    start.abort();
    return;
  }
  say(`\nStopping (${why}): bots finish their recordings first …`);
  endDocsBuild();
  endFollowing();
  await stack.stop();
  say('Stopped.');
  process.exit(0);
}

// A closed terminal or pipe must not end this process before the servers.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
const parentIsGone = 'the process that started it is gone';
process.on('disconnect', () => void stop(parentIsGone));
// Also while the modules were loaded; undefined without a channel to a parent.
if (process.connected === false) void stop(parentIsGone);

try {
  const options = readOptions(process.argv.slice(2), root);
  if (options === null) {
    say(usage);
    process.exit(0);
  }
  const startedAt = Date.now();
  say('Starting Rapporteur …');
  const started = await startStack(options, { root, say, calledOff: start.signal });
  const problem = started.engineUrl === null ? null : await engineProblem(started.engineUrl);
  say(banner(started, Date.now() - startedAt, problem));
  say(firstBotLines(started));
  // The stop was requested too late to cancel the start: the text above may contain the key that is shown once.
  if (start.signal.aborted) await started.stop();
  start.signal.throwIfAborted();
  stack = started;
  endDocsBuild = buildDocsInBackground(root, say);
  endFollowing = followEngine(started, problem, say);
} catch (error) {
  if (start.signal.aborted) say('Stopped. Nothing runs.');
  else process.stderr.write(`\nRapporteur did not start. ${(error as Error).message}\n`);
  process.exit(1);
}
