import type { Database } from '@rapporteur/database';
import type { Attendance } from './light-runner.ts';

/** Number of attendances that began while another one of the same bot was in the meeting. */
export function overlaps(attendances: readonly Attendance[]): number {
  const byBot = Map.groupBy(attendances, ({ botId }) => botId);
  let found = 0;
  for (const ofBot of byBot.values()) {
    const inOrder = ofBot.toSorted((one, other) => one.joinedAtMs - other.joinedAtMs);
    for (const [index, one] of inOrder.entries()) {
      const next = inOrder[index + 1];
      if (next !== undefined && (one.leftAtMs ?? Infinity) > next.joinedAtMs) found += 1;
    }
  }
  return found;
}

export interface EndsVerdict {
  /** Bots without a recording. */
  readonly lost: number;
  readonly ends: number;
  readonly finalEvents: number;
  /** Number of bots by end code. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** How all bots of a deployment ended. */
export async function judgeEnds(database: Database): Promise<EndsVerdict> {
  const rows = await database.query<{ end_code: string; recorded: boolean }>(
    'select end_code, jsonb_array_length(artifacts) > 0 as recorded from bots',
  );
  const [events] = await database.query<{ events: number }>(
    `select count(*)::int as events from outbox where type = 'bots.v1.ended'`,
  );
  const reasons: Record<string, number> = {};
  for (const { end_code } of rows) reasons[end_code] = (reasons[end_code] ?? 0) + 1;
  return {
    lost: rows.filter(({ recorded }) => !recorded).length,
    ends: rows.length,
    finalEvents: events?.events ?? 0,
    reasons,
  };
}

/** The value below which this share of the sorted values is; 0 without values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}
