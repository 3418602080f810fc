import type { StoryEvent } from '../story/story-event.ts';
import type { AttemptMaterial } from './collect-attempts.ts';

/** Fragments that reach this far into the next attempt are kept: the join shifts that attempt by as much. */
const touchMs = 50;

/**
 * When a bot is moved, two runs record together for some seconds. The earlier recording ends where the later one begins
 * on their shared clock, at the end of its last fragment before that: less than one fragment (4 s) is a stated gap.
 */
export function withoutOverlap(attempts: readonly AttemptMaterial[]): AttemptMaterial[] {
  return attempts.map((attempt) => {
    const { startedAtMs, fragments, events } = attempt;
    const endMs = Math.min(
      ...attempts
        .filter((other) => other.attempt > attempt.attempt && other.fragments.length > 0)
        .map((other) => other.startedAtMs ?? Number.POSITIVE_INFINITY),
    );
    if (startedAtMs === null || endMs === Number.POSITIVE_INFINITY) return attempt;
    return {
      ...attempt,
      fragments: fragments.filter(({ record }) => epochMsOf(attempt, startedAtMs, record.endMs) <= endMs + touchMs),
      // Each run may have read a message that the other one has not.
      events: events.filter((event) => event.kind === 'chat' || timeOf(event) < endMs),
    };
  });
}

function timeOf(event: Exclude<StoryEvent, { kind: 'chat' }>): number {
  return 'atMs' in event ? event.atMs : event.startMs;
}

/** Media time excludes pauses; the clock does not. */
function epochMsOf({ pauses }: AttemptMaterial, startedAtMs: number, mediaMs: number): number {
  let epochMs = startedAtMs + mediaMs;
  for (const { startMs, endMs } of pauses.toSorted((one, other) => one.startMs - other.startMs))
    if (startMs < epochMs) epochMs += Math.max(0, (endMs ?? startMs) - startMs);
  return epochMs;
}
