import type { RunnerReport } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';

/** Stores the resource usage of a report; a later report replaces an earlier one. */
export async function saveResourceUsage(transaction: Executor, report: RunnerReport): Promise<void> {
  if (report.kind !== 'attendance-ended' && report.kind !== 'recording-stored') return;
  const { resourceUsage, botId } = report;
  if (resourceUsage === undefined) return;
  await transaction.query(
    `update bots set resource_usage = coalesce(resource_usage, '{}'::jsonb) || $2::jsonb where id = $1`,
    [botId, JSON.stringify(resourceUsage)],
  );
}

/** Adds the time of one transcription of the bot's recording. */
export async function addProviderTime(transaction: Executor, botId: string, ms: number): Promise<void> {
  await transaction.query(
    `update bots set resource_usage = coalesce(resource_usage, '{"cpuMs": null, "peakMemoryBytes": null, "uploadedBytes": 0}'::jsonb)
       || jsonb_build_object('providerMs', coalesce((resource_usage->>'providerMs')::bigint, 0) + $2::bigint)
     where id = $1`,
    [botId, ms],
  );
}
