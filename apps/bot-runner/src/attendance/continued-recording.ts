import type { AttendanceEnd, BotInvocation } from '@rapporteur/contracts';
import type { SteadyClock } from '@rapporteur/service-runtime/process';

// Differences of a run that continues the recording of an earlier run of its bot.

/** Null: nothing is posted. Participants have read the entry message already when a bot rejoins. */
export function entryMessageOf({ configuration, rejoin }: BotInvocation): string | null {
  return rejoin === null ? configuration.entry_message : null;
}

/**
 * The longest duration counts from the start of the recording, by any run. Epoch ms of this run's clock; null before
 * this run records.
 */
export function recordingSinceMs(
  { rejoin }: BotInvocation,
  sinceMs: number | null,
  { correctionMs }: Pick<SteadyClock, 'correctionMs'>,
): number | null {
  if (sinceMs === null || rejoin === null) return sinceMs;
  return Math.min(sinceMs, Date.parse(rejoin.recordingSince) - correctionMs);
}

/** There is a recording to finish, whether or not this run added to it. */
export function withEarlierRecording({ rejoin }: BotInvocation, end: AttendanceEnd): AttendanceEnd {
  return rejoin === null ? end : { ...end, recorded: true };
}
