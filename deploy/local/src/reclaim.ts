import { setTimeout as sleep } from 'node:timers/promises';
import type { StackRecord } from './data-folder.ts';
import { isAlive, signalProcess } from '@rapporteur/process-identity';

const gracefulMs = 35_000;

/**
 * Ends the services of a stack that was killed. They stop by themselves without their parent and may still be finishing
 * recordings, so they get time first. Servers (PostgreSQL, NATS) are reclaimed by their own starters.
 */
export async function reclaimChildren(previous: StackRecord | null, say: (text: string) => void): Promise<void> {
  const alive = () => Object.entries(previous?.children ?? {}).filter(([, identity]) => isAlive(identity));
  if (alive().length === 0) return;
  say(
    `The last run was cut off; waiting for its ${alive()
      .map(([name]) => name)
      .join(', ')} to finish …`,
  );
  for (const [, identity] of alive()) signalProcess(identity, 'SIGTERM');
  const deadline = Date.now() + gracefulMs;
  while (alive().length > 0 && Date.now() < deadline) await sleep(100);
  for (const [, identity] of alive()) signalProcess(identity, 'SIGKILL');
}
