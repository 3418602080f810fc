import { canaryTeamId } from '../canaries/canary-bot.ts';
import type { SchedulerCounters } from '../metrics.ts';
import type { EventSink } from '../schema/context.ts';

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
