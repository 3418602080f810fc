import { startPeriodicTask } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import { leasedRows } from '@rapporteur/work-queue';
import type { WorkspaceRow } from '../schema/login-entities.ts';
import type { VerifyWorkspace } from '../logins/workspaces.routes.ts';

export interface NightlyDependencies {
  readonly database: Database;
  readonly verify: VerifyWorkspace;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 60_000;
const atOnce = 10;
/** The work of a replica that stops is taken over after this time. */
const leaseMs = 600_000;
const dueWorkspaces = leasedRows<WorkspaceRow>({
  table: 'login_workspaces',
  key: ['workspace_id'],
  due: 'verify_after',
});

/** Verifies every workspace once a day, each by one of the replicas. */
export function startNightlyVerification({ database, verify, clock, logger }: NightlyDependencies): Repetition {
  const work = async (): Promise<void> => {
    const claim = { at: new Date(clock.now()), limit: atOnce, leaseMs };
    for (const workspace of await dueWorkspaces.claim(database, claim)) {
      const place = { teamId: workspace.team_id, platform: 'meet', workspaceId: workspace.workspace_id } as const;
      await verify(place, null).catch((error: unknown) => {
        logger.warn({ err: error, ...place }, 'A workspace could not be verified; it is tried again.');
      });
    }
  };
  return startPeriodicTask({ what: 'Verification of workspaces', everyMs, work }, { clock, logger });
}
