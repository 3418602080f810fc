import { durationOf } from '../elements/duration.ts';
import { endSentence } from './advice.ts';

interface Times {
  readonly created_at: string;
  readonly joined_at: string | null;
  readonly exited_at: string | null;
  readonly end_reason: string | null;
}

export interface Step {
  readonly name: string;
  /** Null where it did not happen. */
  readonly at: string | null;
  /** Since the step before; null for the first, and where it did not happen. */
  readonly afterSeconds: number | null;
  /** Why, in a sentence; of the end only. */
  readonly reason?: string | null;
}

/** The steps of a bot and how long each took, as far as the API returns them. */
export function stepsOf({
  created_at: created,
  joined_at: joined,
  exited_at: exited,
  end_reason: reason,
}: Times): Step[] {
  const since = (from: string, to: string | null) => (to === null ? null : (Date.parse(to) - Date.parse(from)) / 1_000);
  return [
    { name: 'Created', at: created, afterSeconds: null },
    {
      name: joined === null ? 'Did not get into the meeting' : 'Joined',
      at: joined,
      afterSeconds: since(created, joined),
    },
    {
      name: 'Ended',
      at: exited,
      afterSeconds: since(joined ?? created, exited),
      reason: reason === null ? null : endSentence(reason),
    },
  ];
}

interface SessionStep {
  readonly step: string;
  readonly at: string;
}

/** Steps of a session, each with the time since the step before: `0.25 s`, a dash for the first. */
export function timedSteps(steps: readonly SessionStep[]): (SessionStep & { readonly after: string })[] {
  return steps.map((step, index) => {
    const before = steps[index - 1];
    if (before === undefined) return { ...step, after: '—' };
    const ms = Math.max(0, Date.parse(step.at) - Date.parse(before.at));
    return { ...step, after: ms < 60_000 ? `${(ms / 1_000).toFixed(2)} s` : durationOf(ms / 1_000) };
  });
}
