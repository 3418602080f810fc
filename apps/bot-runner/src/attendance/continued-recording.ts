import type { AttendanceEnd, BotInvocation } from '@rapporteur/contracts';

// Differences of a run that continues the recording of an earlier run of its bot.

/** Null: nothing is posted. Participants have read the entry message already when a bot rejoins. */
export function entryMessageOf({ configuration, rejoin }: BotInvocation): string | null {
  return rejoin === null ? configuration.entry_message : null;
}

/** The longest duration counts from the start of the recording, by any run. Epoch ms; null before this run records. */
export function recordingSinceMs({ rejoin }: BotInvocation, sinceMs: number | null): number | null {
  return sinceMs === null || rejoin === null ? sinceMs : Math.min(sinceMs, Date.parse(rejoin.recordingSince));
}

/** There is a recording to finish, whether or not this run added to it. */
export function withEarlierRecording({ rejoin }: BotInvocation, end: AttendanceEnd): AttendanceEnd {
  return rejoin === null ? end : { ...end, recorded: true };
}
