import type { RunnerReport } from '@rapporteur/contracts';
import type { SchedulerCounters } from '../metrics.ts';
import type { BotRow } from '../schema/rows.ts';

type Used = Pick<SchedulerCounters, 'recorded' | 'lostMedia' | 'strategySwitches' | 'cpu' | 'uploaded'>;

/** Records metrics of stored recordings and resource usage from reports. */
export function observeReports(metrics: Used): (report: RunnerReport, bot: BotRow) => void {
  return (report, bot) => {
    const platform = bot.meeting_platform;
    if (report.kind !== 'recording-stored' && report.kind !== 'attendance-ended') return;
    // For a bot that records, the last report contains the usage of all its runs.
    const isLast = report.kind === 'recording-stored' || !report.end.recorded;
    if (isLast && report.resourceUsage !== undefined) {
      const { cpuMs, uploadedBytes } = report.resourceUsage;
      if (cpuMs !== null) metrics.cpu.inc({ platform }, cpuMs / 1_000);
      metrics.uploaded.inc({ platform }, uploadedBytes);
    }
    if (report.kind !== 'recording-stored') return;
    metrics.recorded.inc({ platform }, report.durationMs / 1_000);
    if (report.quality === undefined) return;
    metrics.lostMedia.inc({ platform }, report.quality.gapMs / 1_000);
    for (const { media, reason } of report.quality.strategySwitches)
      metrics.strategySwitches.inc({ platform, media, reason });
  };
}
