import type { Executor } from '@rapporteur/database';

export interface RateDecision {
  readonly admitted: boolean;
  /** Requests that would still be admitted right now. */
  readonly remaining: number;
}

const nowMicros = `(extract(epoch from clock_timestamp()) * 1000000)::bigint`;

/**
 * Decides in one statement whether a team may do one more request, and counts it if so: never more than the limit
 * within any second, however many replicas ask at once. The row lock of the update puts them in order. It keeps the
 * times of the newest admitted requests; a request is free to pass when the one `limit` places back is over a second
 * old. Times in the future, after the clock was set back, do not count.
 */
const decide = `
  insert into rate_windows as w (team_id, admitted, passed) values ($1, true, array[${nowMicros}])
  on conflict (team_id) do update set (admitted, passed) = (
    select free, case when free then w.passed[greatest(cardinality(w.passed) - $2 + 2, 1):] || at else w.passed end
      from (
        select at, not coalesce(w.passed[cardinality(w.passed) - $2 + 1] between at - 999999 and at + 1000000, false) as free
          from (select ${nowMicros} as at) as clock
      ) as decision
  )
  returning admitted, greatest($2 - (
    select count(*) from unnest(w.passed) as stamp where stamp between ${nowMicros} - 999999 and ${nowMicros} + 1000000
  ), 0)::int as remaining`;

export async function admitRequest(
  database: Executor,
  teamId: string,
  requestsPerSecond: number,
): Promise<RateDecision> {
  const [row] = await database.query<RateDecision>(decide, [teamId, requestsPerSecond]);
  if (row === undefined) throw new Error('The rate limit statement gave no row.');
  return row;
}
