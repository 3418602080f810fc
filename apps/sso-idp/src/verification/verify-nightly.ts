import { startPeriodicTask } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';
import type { WorkspaceRow } from '../schema/login-rows.ts';
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
const claimMs = 600_000;

/** Verifies every workspace once a day, each by one of the replicas. */
export function startNightlyVerification({ database, verify, clock, logger }: NightlyDependencies): Repetition {
  const work = async (): Promise<void> => {
    for (const workspace of await claimDue(database, clock.now())) {
      const place = { teamId: workspace.team_id, platform: 'meet', workspaceId: workspace.workspace_id } as const;
      await verify(place, null).catch((error: unknown) => {
        logger.warn({ err: error, ...place }, 'A workspace could not be verified; it is tried again.');
      });
    }
  };
  return startPeriodicTask({ what: 'Verification of workspaces', everyMs, work }, { clock, logger });
}

async function claimDue(database: Database, nowMs: number): Promise<WorkspaceRow[]> {
  return await database.query<WorkspaceRow>(
    `update login_workspaces set verify_after = $2 where workspace_id in (
       select workspace_id from login_workspaces where verify_after <= $1
       order by verify_after limit ${atOnce} for update skip locked)
     returning *`,
    [new Date(nowMs), new Date(nowMs + claimMs)],
  );
}
