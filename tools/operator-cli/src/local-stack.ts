import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataFolderOf } from './admin-address.ts';
import type { Places } from './admin-address.ts';
import { StateError } from './sentences.ts';

/** The files of the stack on this machine in its data folder. */
export interface LocalStack {
  readonly dataFolder: string;
  readonly isRunning: boolean;
  readonly ports: Readonly<Record<string, number>>;
}

/** The stack that runs on this machine, else the usual data folder. Throws UsageError where nothing is. */
export function findLocalStack(dataFolder: string | undefined, places: Places): LocalStack {
  const place = dataFolderOf(dataFolder, places);
  const file = join(place, 'stack.json');
  if (!existsSync(file))
    throw new StateError(
      `${file} is missing: no stack has run there. Start Rapporteur with npm start, or name its data folder with --data-folder.`,
    );
  const { ports } = JSON.parse(readFileSync(file, 'utf8')) as { ports: Record<string, number> };
  return {
    dataFolder: place,
    isRunning: places.runningStacks.some((one) => resolve(places.folder, one) === place),
    ports,
  };
}

export function addressOf({ ports }: LocalStack, name: string): string {
  const port = ports[name];
  if (port === undefined) throw new StateError(`The stack on this machine has no ${name}.`);
  return `http://127.0.0.1:${port}`;
}
