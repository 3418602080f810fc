import { endReasons } from './end-reasons.ts';
import type { EndCode } from './end-reasons.ts';
import type { BotEnd } from './decide.ts';
import type { Phase } from './statuses.ts';
import type { RunExit } from './run-exit.ts';

/** The state of a bot whose run failed during the attendance. */
export interface FailedAttendance {
  readonly phase: Phase;
  readonly leaveRequested: boolean;
  /** Number of runs already launched to rejoin. */
  readonly rejoins: number;
  /** Null: no exit was observed. */
  readonly exit: RunExit | null;
}

const rejoinable: ReadonlySet<Phase> = new Set(['joining', 'waiting', 'in_call', 'recording']);

/**
 * Whether another run rejoins the meeting in place of a failed one. A paused bot ends: a new run would record what the customer
 * excluded. So does a run that reached its deadline: the next one would begin with the whole of it again.
 */
export function mayRejoin({ phase, leaveRequested, rejoins, exit }: FailedAttendance, mostRejoins: number): boolean {
  return rejoinable.has(phase) && !leaveRequested && rejoins < mostRejoins && exit?.cause !== 'deadline-exceeded';
}

/** Whether another run replaces one that still attends, because its machine shuts down. */
export function mayMove({ phase, leaveRequested }: Pick<FailedAttendance, 'phase' | 'leaveRequested'>): boolean {
  return rejoinable.has(phase) && !leaveRequested;
}

/** The end reported by a run that had rejoined. */
export interface RejoinedEnd {
  readonly code: EndCode;
  readonly message: string;
  /** Whether this run was in the call. */
  readonly joined: boolean;
}

/**
 * The end of a bot whose recording an earlier run began. Codes for "nothing was recorded" do not apply. A run that was
 * never admitted leaves the failure of the earlier run as the reason.
 */
export function endOfRejoinedBot(reported: RejoinedEnd, failure: EndCode, leaveRequested: boolean): BotEnd {
  if (leaveRequested && (!reported.joined || reported.code === 'EXITING_MEETING_BEFORE_RECORD'))
    return recorded('API_REQUEST', endReasons.API_REQUEST.message);
  if (!reported.joined) {
    const message = `${endReasons[failure].message} It was launched again and could not rejoin: ${reported.message}`;
    return recorded(failure, message);
  }
  if (reported.code === 'BOT_REMOVED_TOO_EARLY') return recorded('BOT_REMOVED', endReasons.BOT_REMOVED.message);
  return recorded(reported.code, reported.message);
}

const recorded = (code: EndCode, message: string): BotEnd => ({ code, message, recorded: true });
