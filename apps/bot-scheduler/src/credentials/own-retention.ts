import type { Executor } from '@rapporteur/database';
import { invalid } from '@rapporteur/service-runtime';

/** Throws VALIDATION when a bot is to keep its data longer than its team. Null: as long as the team. */
export async function refuseLongRetention(executor: Executor, teamId: string, hours: number | null): Promise<void> {
  if (hours === null) return;
  const [team] = await executor.query<{ retention_days: number }>(
    'select retention_days from team_limits where team_id = $1',
    [teamId],
  );
  if (team === undefined || hours <= team.retention_days * 24) return;
  throw invalid(
    'retention_hours',
    `The team keeps data for ${team.retention_days} days, so it may be at most ${team.retention_days * 24}.`,
  );
}
