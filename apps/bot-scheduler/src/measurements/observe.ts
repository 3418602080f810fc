import type { RunnerReport } from '@rapporteur/contracts';
import type { SchedulerCounters } from '../metrics.ts';
import { unrecognisedKindOf } from '../page-packs/page-pack-outcomes.ts';
import { pageElementsOf } from '../page-packs/page-pack-reader.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import { canaryTeamId } from '../canaries/run-canaries.ts';
import type { EventSink } from '../schema/context.ts';

type Used = Pick<
  SchedulerCounters,
  'recorded' | 'lostMedia' | 'strategySwitches' | 'cpu' | 'uploaded' | 'candidateMatches' | 'unrecognised'
>;

/** Records metrics of stored recordings and resource usage from reports. */
export function observeReports(metrics: Used): (report: RunnerReport, bot: BotRow) => void {
  return (report, bot) => {
    const platform = bot.meeting_platform;
    if (report.kind !== 'recording-stored' && report.kind !== 'attendance-ended') return;
    if (report.kind === 'attendance-ended') {
      observeCandidates(metrics, report, bot);
      const kind = unrecognisedKindOf(report);
      if (kind !== null) metrics.unrecognised.inc({ platform, kind });
    }
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

/** Names of elements that no built-in page pack has are dropped: a runner reports them, and a label must be bounded. */
function observeCandidates(
  { candidateMatches }: Pick<Used, 'candidateMatches'>,
  report: Extract<RunnerReport, { kind: 'attendance-ended' }>,
  { meeting_platform: platform, page_pack_version }: BotRow,
): void {
  const pack = (report.pagePackVersion ?? page_pack_version ?? '').includes('+') ? 'overlay' : 'built-in';
  const known = pageElementsOf(platform);
  for (const [element, { index, of }] of Object.entries(report.matchedCandidates ?? {})) {
    if (!known.has(element)) continue;
    const place = index === 0 ? 'first' : index === of - 1 ? 'last' : 'later';
    candidateMatches.inc({ platform, pack, element, place });
  }
}

/** Records metrics of every committed move: time in the previous phase, lateness of the join, and the end. */
export function observeMoves({
  phaseDurations,
  joinLateness,
  ends,
}: Pick<SchedulerCounters, 'phaseDurations' | 'joinLateness' | 'ends'>): NonNullable<EventSink['onMove']> {
  return ({ from, to, at, final }) => {
    // They are counted as canaries: alerts on customers' bots are not theirs.
    if (to.team_id === canaryTeamId) return;
    const platform = to.meeting_platform;
    const secondsSince = (since: Date): number => Math.max(0, at.getTime() - since.getTime()) / 1_000;
    if (to.phase !== from.phase) {
      phaseDurations.observe({ phase: from.phase, platform }, secondsSince(from.phase_since));
      if (from.phase === 'queued' && to.phase === 'joining') {
        const start = from.join_at === null ? 'immediate' : 'scheduled';
        joinLateness.observe({ start, platform }, secondsSince(from.join_at ?? from.created_at));
      }
    }
    if (final !== null) ends.inc({ platform, code: final.code, outcome: final.outcome });
  };
}
