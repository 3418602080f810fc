import type { Service } from '@rapporteur/service-runtime';
import { forgetOldCommands } from '../lifecycle/commands.store.ts';
import { deleteDueObjects } from './delete-objects.ts';
import type { ObjectDeletionDependencies } from './delete-objects.ts';
import { forgetExpired } from './retention.ts';

/** Commands contain chat messages; their result is needed for seconds only. */
const commandsKeptMs = 3_600_000;

/** Deletes expired data, and objects whose deletion is not confirmed, until the service stops. */
export function startDataMaintenance(
  service: Pick<Service, 'repeat'>,
  dependencies: ObjectDeletionDependencies,
  everyMs: number,
): void {
  const { database, events, now } = dependencies;
  // Independent jobs: unavailable storage must not delay the deletion of chat messages.
  const jobs: [string, () => Promise<unknown>][] = [
    ['Forgetting data past its retention', () => forgetExpired({ database, events, now })],
    ['Deleting stored objects', () => deleteDueObjects(dependencies)],
    ['Forgetting old commands', () => forgetOldCommands(database, new Date(now() - commandsKeptMs))],
  ];
  for (const [what, work] of jobs) service.repeat({ what, everyMs, work });
}
