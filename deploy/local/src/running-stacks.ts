import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isAlive } from '@rapporteur/process-identity';
import type { ProcessIdentity } from '@rapporteur/process-identity';
import { writePrivately } from './data-folder.ts';

interface Announcement {
  readonly dataFolder: string;
  readonly stack: ProcessIdentity;
}

const placeOf = (root: string): string => join(root, 'node_modules', '.cache', 'rapporteur-running');

/**
 * Registers the stack of this process for the operator CLI, wherever its data folder is. @returns a function that
 * removes it
 */
export function announceStack(root: string, dataFolder: string): () => void {
  const stack = identify(process.pid);
  const name = `${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}.json`;
  const file = join(placeOf(root), name);
  mkdirSync(placeOf(root), { recursive: true });
  writePrivately(file, { dataFolder, stack });
  return () => rmSync(file, { force: true });
}

/** Data folders of the stacks of this project that run now. */
export function runningStacks(root: string): string[] {
  return announcementsBelow(placeOf(root))
    .filter(({ stack }) => isAlive(stack))
    .map(({ dataFolder }) => dataFolder)
    .sort();
}

function announcementsBelow(place: string): Announcement[] {
  let names: string[];
  try {
    names = readdirSync(place).filter((name) => name.endsWith('.json'));
  } catch {
    // No stack has run in this project yet.
    return [];
  }
  return names.flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(place, name), 'utf8')) as Announcement];
    } catch {
      // It has just stopped, or belongs to another user.
      return [];
    }
  });
}
