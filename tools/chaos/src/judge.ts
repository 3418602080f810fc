import type { FinalEvent, Attendance } from './oracle.ts';

/** The observations of one accepted bot after everything has settled. */
export interface Witnessed {
  readonly botId: string;
  readonly attendance: Attendance | undefined;
  readonly finalEvents: readonly FinalEvent[];
  readonly status: string;
  /** Content of its link; null without one. */
  readonly video: string | null;
}

/** The problems of a bot, as sentences; empty: none. Pure. */
export function judge({ botId, attendance, finalEvents, status, video }: Witnessed): string[] {
  const problems = [
    attendance === undefined ? 'never joined' : null,
    attendance !== undefined && attendance.joins.length > 1 ? `joined ${attendance.joins.length} times` : null,
    attendance !== undefined && attendance.leaves !== 1 ? `left ${attendance.leaves} times` : null,
    status === 'completed' ? null : `ended as ${status}`,
    finalEvents.length === 1
      ? null
      : `has ${finalEvents.length} final events (${finalEvents.map(({ event }) => event).join(', ')})`,
    ...finalEvents.map(({ event, reason }) => (event === 'bot.failed' ? `was announced as failed (${reason})` : null)),
    video === botId.repeat(1_000)
      ? null
      : `its recording is ${video === null ? 'missing' : `wrong (${video.length} bytes)`}`,
  ];
  return problems.filter((problem) => problem !== null).map((problem) => `${botId} ${problem}`);
}
