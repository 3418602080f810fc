import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Places } from './admin-address.ts';
import { UsageError } from './sentences.ts';

/** What the stack on this machine has written into its data folder. */
export interface LocalStack {
  readonly dataFolder: string;
  readonly isRunning: boolean;
  readonly ports: Readonly<Record<string, number>>;
}

/** The stack that runs on this machine, else the usual data folder. Throws UsageError where nothing is. */
export function findLocalStack(dataFolder: string | undefined, { folder, runningStacks }: Places): LocalStack {
  const [running, ...others] = runningStacks;
  if (dataFolder === undefined && others.length > 0)
    throw new UsageError(`Several stacks run on this machine. Name the data folder of one with --data-folder.`);
  const place = resolve(folder, dataFolder ?? running ?? '.rapporteur');
  const file = join(place, 'stack.json');
  if (!existsSync(file))
    throw new UsageError(
      `${file} is missing: no stack has run there. Start Rapporteur with npm start, or name its data folder with --data-folder.`,
    );
  const { ports } = JSON.parse(readFileSync(file, 'utf8')) as { ports: Record<string, number> };
  return { dataFolder: place, isRunning: runningStacks.some((one) => resolve(folder, one) === place), ports };
}

export function addressOf({ ports }: LocalStack, name: string): string {
  const port = ports[name];
  if (port === undefined) throw new UsageError(`The stack on this machine has no ${name}.`);
  return `http://127.0.0.1:${port}`;
}

/** Keeps JSON that only this user reads. */
export function writePrivate(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}
