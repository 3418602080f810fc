import type { Executor } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';

const perMinute = 5;
const nowMicros = `(extract(epoch from clock_timestamp()) * 1000000)::bigint`;

/**
 * Decides in one statement whether a key may delete once more, and counts it if so; the row lock of the update
 * serializes all replicas. Times in the future, after the clock was set back, do not count.
 */
const decide = `
  insert into deletion_windows as w (key_id, admitted, passed) values ($1, true, array[${nowMicros}])
  on conflict (key_id) do update set (admitted, passed) = (
    select cardinality(recent) < ${perMinute}, case when cardinality(recent) < ${perMinute} then recent || at else recent end
      from (
        select at, array(
          select stamp from unnest(w.passed) as stamp where stamp between at - 59999999 and at + 1000000 order by stamp
        ) as recent from (select ${nowMicros} as at) as clock
      ) as seen
  )
  returning admitted, ceil((passed[1] + 60000000 - ${nowMicros}) / 1000000.0)::int as "secondsToWait"`;

interface Decision {
  readonly admitted: boolean;
  readonly secondsToWait: number;
}

/** Counts one deletion. RATE_LIMITED above 5 within a minute, UNAVAILABLE when the database does not respond. */
export type CountDeletion = (keyId: string) => Promise<void>;

export function countDeletionsIn(database: Executor): CountDeletion {
  return async (keyId) => {
    const { admitted, secondsToWait } = await decided(database, keyId);
    if (admitted) return;
    const retryAfterSeconds = Math.max(1, secondsToWait);
    throw fail('RATE_LIMITED', {
      message: `Data may be deleted ${perMinute} times per minute with one key. Try again in ${retryAfterSeconds} s.`,
      retryAfterSeconds,
    });
  };
}

async function decided(database: Executor, keyId: string): Promise<Decision> {
  try {
    const [row] = await database.query<Decision>(decide, [keyId]);
    if (row === undefined) throw new Error('The deletion limit statement returned no row.');
    return row;
  } catch (error) {
    throw fail('UNAVAILABLE', { cause: error });
  }
}
