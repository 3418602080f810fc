import { withDeadline } from '@rapporteur/async';

/**
 * The result of `work`, or null when it fails or takes longer than `limitMs`. A page that is frozen, closed or navigating
 * responds late or never, so every request to one has a limit. The work itself is not stopped.
 */
export function resultWithin<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  return withDeadline(work, limitMs, 'The page').catch(() => null);
}
